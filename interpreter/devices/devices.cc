#include "interpreter/devices/devices.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/rules/devices/parallel_programs.h"

namespace hlo {
namespace {

/// Lets each in turn run until it waits, as long as any of them can.
void run_in_turns(const std::vector<std::unique_ptr<Evaluator>>& evaluators) {
  bool moved = true;
  while (moved) {
    moved = false;
    for (const auto& evaluator : evaluators) {
      if (evaluator->advance()) moved = true;
    }
  }
}

}  // namespace

void require_room(int64_t instructions) {
  constexpr int64_t kMost = int64_t{1} << 23;
  require_evaluable(
      instructions <= kMost, "evaluate.devices",
      {"the programs of all devices have ", Count{instructions, "instruction"}},
      "they can have at most 2^23");
}

void require_count(const Grid& grid) {
  require_evaluable(grid.count() <= kMostDevices, "evaluate.devices",
                    {"the program runs on ", Count{grid.count(), "device"}},
                    "it can run on at most 65536");
}

GridResult run_grid(const Valuation& valuation, const Grid& grid,
                    std::vector<DeviceProgram> programs,
                    std::deque<Literal> infeed,
                    const EvaluatorOptions& options) {
  require_count(grid);
  require_room(programs);
  Network network(grid, std::move(infeed));
  std::vector<std::unique_ptr<Evaluator>> evaluators;
  std::vector<const Evaluator*> all;
  for (DeviceProgram& program : programs) {
    EvaluatorOptions own = options;
    own.device = device_of(std::ssize(evaluators), grid);
    if (options.observer_of) own.observer = options.observer_of(own.device);
    evaluators.push_back(
        std::make_unique<Evaluator>(valuation, std::move(own), network));
    evaluators.back()->start(*program.computation,
                             std::move(program.arguments));
    all.push_back(evaluators.back().get());
  }
  run_in_turns(evaluators);
  GridResult result;
  for (const auto& evaluator : evaluators) {
    if (!evaluator->has_ended()) throw_deadlock(all);
    result.results.push_back(evaluator->result());
  }
  result.outfeed = network.outfeed();
  return result;
}

Grid grid_of(const Module& module) {
  const bool runs_programs = std::ranges::any_of(
      module.entry->instructions,
      [](const auto& instruction) { return is_run_parallel(*instruction); });
  return runs_programs ? Grid{}
                       : Grid{module.replica_count, module.num_partitions};
}

int64_t device_count(const Module& module) { return grid_of(module).count(); }

}  // namespace hlo
