#include "backends/cpu/devices/device_grid.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "backends/cpu/devices/collectives.h"
#include "backends/cpu/devices/strand.h"
#include "interpreter/error.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/devices/parallel_programs.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kMostDevices = int64_t{1} << 16;
constexpr int64_t kMostValues = int64_t{1} << 23;
constexpr int64_t kMostLevels = 100;  // of computations that recursion runs

bool communicates(const Instruction& instruction) {
  return instruction.op->communicate != nullptr || is_run_parallel(instruction);
}

/// Whether it draws from the state of its device.
bool is_random(const Instruction& instruction) {
  return instruction.op->randomness != Randomness::kNone;
}

/// How many computations lie in each other within the entry computation.
int64_t levels_of(const Module& module) {
  std::unordered_map<const Computation*, int64_t> levels;
  for (const auto& computation : module.computations) {  // callees come first
    int64_t own = 0;
    for (const Computation* called : called_by(*computation)) {
      own = std::max(own, levels[called] + 1);
    }
    levels[computation.get()] = own;
  }
  return levels[module.entry];
}

void require_few(const Grid& grid) {
  require_evaluable(grid.count() <= kMostDevices, "evaluate.devices",
                    {"the program runs on ", Count{grid.count(), "device"}},
                    "it can run on at most 65536");
}

void require_room(const Grid& grid, const std::vector<DeviceWork>& work,
                  int depth) {
  require_evaluable(depth <= kMostDepth, "evaluate.depth",
                    {"programs run programs ", depth, " deep"},
                    "they can be nested at most 32 deep");
  int64_t values = 0;
  for (const DeviceWork& one : work) {
    values += std::ssize(one.computation->instructions);
  }
  require_few(grid);
  require_evaluable(
      values <= kMostValues, "evaluate.devices",
      {"the programs of all devices have ", Count{values, "instruction"}},
      "they can have at most 2^23");
}

void append_flat(std::vector<Array>& values, const Array& value) {
  if (!value.shape.is_tuple()) return values.push_back(value);
  values.insert(values.end(), value.elements.begin(), value.elements.end());
}

/// Runs the programs on a grid of their own, which read from a queue of their
/// own; what they write goes where it does here.
Array run_programs(const Instruction& instruction, Operands operands,
                   const Surroundings& around) {
  const ParallelPrograms plan = parallel_programs(instruction);
  const int depth = around.depth + 1;
  HostQueues host;
  host.outfeed = around.network.outfeed();
  for (const Computation* queue : plan.infeed) {
    std::vector<DeviceWork> source;
    source.push_back({queue, {}});
    std::vector<Array> given =
        run_grid(Grid{}, std::move(source), {}, around.calls, depth);
    host.infeed.values.push_back(std::move(given.at(0)));
  }
  std::vector<DeviceWork> work;
  size_t next = 0;
  for (const Computation* program : plan.programs) {
    const size_t count = program->parameters.size();
    work.push_back({program, {}});
    for (const Array* operand : operands.subspan(next, count)) {
      work.back().arguments.push_back(*operand);
    }
    next += count;
  }
  const std::vector<Array> results = run_grid(
      plan.grid, std::move(work), std::move(host), around.calls, depth);
  std::vector<Array> values;
  for (const Array& result : results) append_flat(values, result);
  if (!instruction.shape.is_tuple()) return std::move(values.at(0));
  return tuple_of(std::move(values));
}

}  // namespace

bool needs_machine(const Module& module) {
  const bool has_several = module.replica_count * module.num_partitions != 1;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (communicates(*instruction)) return true;
      if (has_several && is_random(*instruction)) return true;
    }
  }
  return levels_of(module) > kMostLevels;
}

Grid grid_of(const Module& module) {
  const bool runs_programs = std::ranges::any_of(
      module.entry->instructions,
      [](const auto& instruction) { return is_run_parallel(*instruction); });
  const Grid grid = runs_programs
                        ? Grid{}
                        : Grid{module.replica_count, module.num_partitions};
  require_few(grid);
  return grid;
}

std::vector<Array> run_grid(const Grid& grid, std::vector<DeviceWork> work,
                            HostQueues host, const EngineCalls& calls,
                            int depth) {
  require_room(grid, work, depth);
  Network network(grid, std::move(host));
  std::vector<std::unique_ptr<Strand>> strands;
  for (DeviceWork& one : work) {
    const Device device = device_of(std::ssize(strands), grid);
    strands.push_back(std::make_unique<Strand>(
        Surroundings{network, calls, depth, run_programs}, device,
        std::make_shared<Counter>()));
    strands.back()->start(*one.computation, std::move(one.arguments));
  }
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto& strand : strands) {
      if (strand->advance()) moved = true;
    }
  }
  std::vector<Array> results;
  for (size_t i = 0; i < strands.size(); ++i) {
    require_evaluable(
        strands[i]->has_ended(), "evaluate.deadlock",
        {"device ", i, " waits at %",
         strands[i]->waiting() == nullptr ? "" : strands[i]->waiting()->name},
        "the devices must not all wait");
    results.push_back(strands[i]->result());
  }
  return results;
}

}  // namespace hlo::cpu
