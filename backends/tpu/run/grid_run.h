#pragma once

#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/layout_plan.h"
#include "backends/tpu/program/tiled_value.h"
#include "backends/tpu/run/host_ends.h"

namespace hlo::tpu {

class ElementWatch;

/// What one device runs, on its machine, which is not null.
struct DeviceWork {
  Machine* machine = nullptr;
  const Computation* computation = nullptr;
  std::vector<Value> arguments = {};
};

/// The values of the roots of all devices of the grid, by flattened id, each of
/// which runs in its turn until it waits. The plan has layouts for all that
/// they run. Evaluate errors "evaluate.deadlock", "evaluate.devices",
/// "evaluate.depth" and those of the pages; throws Unsupported and Trap.
std::vector<Value> run_grid(const LayoutPlan& plan, const Grid& grid,
                            std::vector<DeviceWork> work, HostEnds& host,
                            int depth = 0, ElementWatch* watch = nullptr);

/// What a device that is alone runs.
Value execute(Machine& machine, const LayoutPlan& plan,
              const Computation& computation, const Values& arguments);

}  // namespace hlo::tpu
