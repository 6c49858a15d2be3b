#include "backends/cpu/plan/plan_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/cpu/plan/steps/live_ranges.h"
#include "interpreter/counted.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

std::string_view kernel(NodeKind kind) {
  switch (kind) {
    case NodeKind::kMap:
      return "pass over tiles";
    case NodeKind::kCopy:
      return "copy";
    case NodeKind::kProduct:
      return "product";
    case NodeKind::kConvolution:
      return "convolution";
    case NodeKind::kFold:
      return "fold";
    case NodeKind::kFoldWindows:
      return "fold of windows";
    case NodeKind::kSlice:
      return "slice";
    case NodeKind::kConcatenate:
      return "concatenate";
    case NodeKind::kUpdate:
      return "update";
    case NodeKind::kLoop:
      return "loop";
    case NodeKind::kRoutine:
      return "routine";
    case NodeKind::kFunction:
      return "function";
  }
  return "";
}

std::string counted_bytes(size_t bytes) {
  return counted(static_cast<int64_t>(bytes), "byte");
}

std::string counted_steps(size_t steps) {
  return counted(static_cast<int64_t>(steps), "step");
}

class PlanWriter {
 public:
  explicit PlanWriter(const StepPlan& plan)
      : plan_(plan), ranges_(live_ranges(plan)) {}

  std::string written() {
    write_head();
    auto band = plan_.bands.begin();
    auto division = plan_.divisions.begin();
    for (size_t s = 0; s < plan_.steps.size(); ++s) {
      if (division != plan_.divisions.end() && division->first == s) {
        write_division(*division++);
      }
      if (band != plan_.bands.end() && band->first == s) write_band(*band++);
      write_step(s);
    }
    std::vector<std::string> results;
    for (const Operand& result : plan_.graph.results) {
      results.push_back(read(result));
    }
    text_ += fmt::format("results: {}\n", fmt::join(results, ", "));
    write_copies();
    write_memory();
    return text_;
  }

 private:
  const Value& value(size_t number) const { return plan_.graph.values[number]; }

  /// How many steps there are of each kernel.
  void write_head() {
    std::map<NodeKind, size_t> counts;
    for (const Step& step : plan_.steps) {
      ++counts[plan_.graph.nodes[step.node].kind];
    }
    std::vector<std::string> kinds;
    kinds.reserve(counts.size());
    for (const auto& [kind, count] : counts) {
      kinds.push_back(fmt::format("{} {}", kernel(kind), count));
    }
    text_ += fmt::format("{} of {}{}{}\n", counted_steps(plan_.steps.size()),
                         counted(std::ssize(plan_.graph.nodes), "operation"),
                         kinds.empty() ? "" : ": ", fmt::join(kinds, ", "));
  }

  void write_division(const Division& division) {
    text_ +=
        fmt::format("steps {} to {} one of {} after the other{}\n",
                    division.first, division.first + division.count - 1,
                    counted(division.parts, "part"), of_thread(division.inner));
  }

  void write_band(const Band& band) {
    text_ += fmt::format("steps {} to {} for some of {} at a time{}\n",
                         band.first, band.first + band.count - 1,
                         counted(band.lines, "line"), of_thread(band.inner));
  }

  /// What only they read: a thread has no more of it than it works on.
  static std::string of_thread(const std::vector<size_t>& inner) {
    if (inner.empty()) return "";
    return fmt::format(", value{} {} in memory of a thread",
                       inner.size() == 1 ? "" : "s", fmt::join(inner, ", "));
  }

  void write_step(size_t s) {
    const Step& own = plan_.steps[s];
    const Node& node = plan_.graph.nodes[own.node];
    text_ += fmt::format("step {}: {}", s, kernel(node.kind));
    if (node.kind == NodeKind::kMap) {
      text_ += ":";
      for (const size_t n : own.fused) text_ += name(plan_.graph.nodes[n]);
      if (own.fold >= 0) text_ += ", folded:" + name(fold_of(own));
    } else {
      text_ += node.instruction == nullptr ? "" : ":" + name(node);
    }
    text_ += "\n";
    if (!own.reads.empty()) {
      text_ += fmt::format("  reads {}\n", fmt::join(reads(own), ", "));
    }
    for (const size_t result : own.writes) write_result(s, result);
  }

  static std::string name(const Node& node) {
    if (node.instruction == nullptr) return " convert";
    return fmt::format(" {} %{}", node.instruction->op->name,
                       node.instruction->name);
  }

  /// What a step reads: a pass over tiles by its inputs, as operands inside of
  /// it are no arrays.
  std::vector<std::string> reads(const Step& step) const {
    std::vector<std::string> all;
    if (!step.fused.empty()) {
      for (size_t i = 0; i < step.program.inputs.size(); ++i) {
        all.push_back(read(step.reads[i], step.program.inputs[i].view));
      }
      if (step.fold >= 0) all.push_back(read(fold_of(step).operands[1]));
      return all;
    }
    for (const Operand& operand : plan_.graph.nodes[step.node].operands) {
      all.push_back(read(operand));
    }
    return all;
  }

  const Node& fold_of(const Step& step) const {
    return plan_.graph.nodes[static_cast<size_t>(step.fold)];
  }

  std::string read(const Operand& operand) const {
    return read(operand.value, operand.view);
  }

  std::string read(size_t number, const View& view) const {
    const Value& own = value(number);
    std::string text =
        own.argument >= 0        ? fmt::format("argument {}", own.argument)
        : own.literal != nullptr ? "constant"
                                 : fmt::format("value {}", number);
    text += " " + to_string(own.shape);
    if (own.shape.is_token()) return text;
    if (view.offset == 0 && view.is_contiguous() &&
        view.count() == own.shape.element_count()) {
      return text;
    }
    return text + fmt::format(" as [{}] by strides [{}] from {}",
                              fmt::join(view.dims, ","),
                              fmt::join(view.strides, ","), view.offset);
  }

  void write_result(size_t s, size_t result) {
    text_ += fmt::format("  writes value {} {}", result,
                         to_string(value(result).shape));
    if (plan_.over[result] >= 0) {
      text_ += fmt::format(": over argument {}", plan_.over[result]);
    }
    if (plan_.offsets[result] >= 0) {
      text_ += fmt::format(": {} at {}", counted_bytes(value(result).bytes),
                           plan_.offsets[result]);
    }
    for (const size_t number : plan_.steps[s].reads) {
      if (plan_.offsets[number] < 0 ||
          plan_.offsets[number] != plan_.offsets[result]) {
        continue;
      }
      text_ += fmt::format(" over value {}", number);
      break;
    }
    const size_t last = ranges_[result].last;
    text_ += last == plan_.steps.size() ? ", kept to the end\n"
             : last == s                ? ", not read\n"
                         : fmt::format(", read until step {}\n", last);
  }

  /// Arrays that are written anew as no kernel reads them as they lie.
  void write_copies() {
    size_t count = 0;
    size_t bytes = 0;
    for (const Node& node : plan_.graph.nodes) {
      if (node.kind != NodeKind::kCopy) continue;
      ++count;
      bytes += value(node.results[0]).bytes;
    }
    text_ += fmt::format("copies into another order: {}, {}\n",
                         counted_steps(count), counted_bytes(bytes));
  }

  void write_memory() {
    const size_t least = least_bytes(plan_);
    text_ += fmt::format("block: {}; live ranges need {}",
                         counted_bytes(plan_.block_bytes), least);
    if (least > 0) {
      text_ += fmt::format(
          ", the block has {:.2f} times as many",
          static_cast<double>(plan_.block_bytes) / static_cast<double>(least));
    }
    text_ += "\n";
  }

  const StepPlan& plan_;
  std::vector<LiveRange> ranges_;
  std::string text_;
};

/// Appends what the loops of the plan run, each computation once.
void write_loops(const StepPlan& plan, std::set<const StepPlan*>& written,
                 std::string& text) {
  for (const Step& step : plan.steps) {
    for (const auto& [part, own] : {std::pair{"condition", step.loop.condition},
                                    std::pair{"body", step.loop.body}}) {
      if (own == nullptr || !written.insert(own.get()).second) continue;
      const Instruction& loop = *plan.graph.nodes[step.node].instruction;
      text += fmt::format("\n{} of %{}: %{}\n", part, loop.name,
                          loop.get<Computation*>(part)->name);
      text += PlanWriter(*own).written();
      write_loops(*own, written, text);
    }
  }
}

}  // namespace

std::string plan_text(const StepPlan& plan) {
  std::string text = PlanWriter(plan).written();
  std::set<const StepPlan*> written;
  write_loops(plan, written, text);
  return text;
}

}  // namespace hlo::cpu
