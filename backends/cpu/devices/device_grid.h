#pragma once

#include <vector>

#include "backends/cpu/devices/device_network.h"
#include "backends/cpu/devices/engine_calls.h"
#include "interpreter/rules/devices/collective.h"

namespace hlo::cpu {

/// Whether the module needs the machine: its computations are nested deeper
/// than those of the engine may be, some instruction talks to a device, to the
/// host, or to what runs beside it, or several devices have random states.
/// Else each device runs what it would run alone.
bool needs_machine(const Module& module);
/// The devices that the module runs on: one where its entry computation calls
/// `interpreter.run_parallel`. Evaluate error "evaluate.devices".
Grid grid_of(const Module& module);

/// What one device runs.
struct DeviceWork {
  const Computation* computation = nullptr;
  std::vector<Array> arguments;
};

/// The results of the devices of the grid, by flattened id, each of which runs
/// in its turn until it waits. `depth` counts such programs in each other.
/// Evaluate errors "evaluate.deadlock", "evaluate.devices", "evaluate.depth"
/// and those of the pages; throws Unsupported.
std::vector<Array> run_grid(const Grid& grid, std::vector<DeviceWork> work,
                            HostQueues host, const EngineCalls& calls,
                            int depth = 0);

}  // namespace hlo::cpu
