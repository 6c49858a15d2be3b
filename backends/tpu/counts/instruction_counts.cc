#include "backends/tpu/counts/instruction_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/tpu/counts/cycle_model.h"

namespace hlo::tpu {
namespace {

/// A line of the table: a computation, an instruction, or all.
struct Line {
  std::string name;
  Counters counters = {};
  bool is_heading = false;
};

bool counts_anything(const Counters& counters) {
  return counters.loads + counters.stores + counters.shifts +
             counters.vector_operations + counters.matrix_passes +
             counters.elements_one_by_one + counters.bytes_moved !=
         0;
}

std::vector<Line> lines_of(
    const Computations& computations,
    const std::map<const Instruction*, Counters>& counters) {
  std::vector<Line> lines;
  for (const Computation* computation : computations) {
    const size_t before = lines.size();
    lines.push_back({.name = "%" + computation->name, .is_heading = true});
    for (const auto& instruction : computation->instructions) {
      const auto found = counters.find(instruction.get());
      if (found == counters.end() || !counts_anything(found->second)) continue;
      lines.push_back({.name = "  %" + instruction->name + " " +
                               std::string(instruction->op->name),
                       .counters = found->second});
    }
    if (lines.size() == before + 1) lines.pop_back();
  }
  const auto found = counters.find(nullptr);
  if (found != counters.end() && counts_anything(found->second)) {
    lines.push_back({.name = "arguments, results", .counters = found->second});
  }
  return lines;
}

std::string row(const Line& line, size_t width) {
  if (line.is_heading) return line.name + "\n";
  const Counters& c = line.counters;
  return fmt::format("{:<{}}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>16}\n",
                     line.name, width, c.loads, c.stores, c.vector_operations,
                     c.shifts, c.matrix_passes, c.elements_one_by_one,
                     c.bytes_moved);
}

}  // namespace

void give_counts(Machine& machine, const Instruction* instruction) {
  add(machine.by_instruction[instruction],
      counted_since(machine.given, machine.counters));
  machine.given = machine.counters;
}

void add(std::map<const Instruction*, Counters>& sum,
         const std::map<const Instruction*, Counters>& more) {
  for (const auto& [instruction, counters] : more) {
    add(sum[instruction], counters);
  }
}

std::string instruction_table(
    const Computations& computations,
    const std::map<const Instruction*, Counters>& counters) {
  Line all{.name = "all"};
  for (const auto& [instruction, each] : counters) add(all.counters, each);
  std::vector<Line> lines = lines_of(computations, counters);
  lines.push_back(std::move(all));
  constexpr std::string_view kTitle = "instruction";
  size_t width = kTitle.size();
  for (const Line& line : lines) {
    if (!line.is_heading) width = std::max(width, line.name.size());
  }
  std::string text =
      fmt::format("{:<{}}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>16}\n", kTitle,
                  width, "loads", "stores", "operations", "moves", "passes",
                  "one by one", "bytes");
  for (const Line& line : lines) text += row(line, width);
  return text;
}

}  // namespace hlo::tpu
