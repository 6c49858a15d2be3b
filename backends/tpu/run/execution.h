#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/layout_plan.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The value of the computation's root, which the plan has layouts for, as for
/// all that it runs. Throws Unsupported and Error.
Value execute(Machine& machine, const LayoutPlan& plan,
              const Computation& computation, const Values& arguments);

}  // namespace hlo::tpu
