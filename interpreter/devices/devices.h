#pragma once

#include <cstdint>
#include <deque>
#include <iterator>
#include <span>
#include <vector>

#include "interpreter/run/evaluator.h"
#include "interpreter/run/network.h"

namespace hlo {

/// How many devices a program runs on at most.
inline constexpr int64_t kMostDevices = int64_t{1} << 16;

/// What one device runs.
struct DeviceProgram {
  const Computation* computation = nullptr;
  std::vector<Literal> arguments;
};

/// What the devices of a grid have computed.
struct GridResult {
  std::vector<Literal> results;  // by flattened id
  std::vector<Outfed> outfeed;   // in the order in which it was written
};

/// Runs a program on each device of the grid, by flattened id, in turns: each
/// runs until it waits. Devices read from `infeed` in the order in which they
/// come. Evaluate errors "evaluate.devices" where there are too many,
/// "evaluate.deadlock" where all that are left wait.
GridResult run_grid(const Valuation& valuation, const Grid& grid,
                    std::vector<DeviceProgram> programs,
                    std::deque<Literal> infeed = {},
                    const EvaluatorOptions& options = {});

/// Evaluate error "evaluate.devices" where the grid has too many devices.
void require_count(const Grid& grid);

/// Evaluate error "evaluate.devices" where the programs of all devices have
/// more instructions than there is room for values of, before any runs.
void require_room(int64_t instructions);

/// Evaluate error "evaluate.devices" for works that have a `computation` each.
template <typename Work>
void require_room(const std::vector<Work>& works) {
  int64_t instructions = 0;
  for (const Work& work : works) {
    instructions += std::ssize(work.computation->instructions);
  }
  require_room(instructions);
}

/// The devices that the module runs on: one where its entry computation calls
/// `interpreter.run_parallel`, whose programs run on the grid.
Grid grid_of(const Module& module);
/// How many devices the module runs on.
int64_t device_count(const Module& module);

}  // namespace hlo
