#pragma once

#include <deque>
#include <span>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/network.h"

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
  int64_t steps = 0;             // instructions that ran
};

/// Runs a program on each device of the grid, by flattened id, in turns: each
/// runs until it waits. Devices read from `infeed` in the order in which they
/// come. Evaluate errors "evaluate.devices" where there are too many,
/// "evaluate.deadlock" where all that are left wait.
GridResult run_grid(const Grid& grid, std::vector<DeviceProgram> programs,
                    std::deque<Literal> infeed = {},
                    const EvaluatorOptions& options = {});

/// The devices that the module runs on: one where its entry computation calls
/// `interpreter.run_parallel`, whose programs run on the grid.
Grid grid_of(const Module& module);
/// How many these are.
int64_t device_count(const Module& module);

/// The results of the entry computation on each device of the module. There is
/// one list of arguments for all devices, or one for each.
GridResult evaluate_devices(const Module& module,
                            std::vector<std::vector<Literal>> arguments,
                            const EvaluatorOptions& options = {});

/// Evaluate error "evaluate.depth" where programs that run others, and
/// asynchronous computations in each other, are nested too deep.
void require_depth(int depth);

/// Throws the evaluate error "evaluate.deadlock": who of these devices waits
/// for whom.
[[noreturn]] void throw_deadlock(std::span<const Evaluator* const> devices);

}  // namespace hlo
