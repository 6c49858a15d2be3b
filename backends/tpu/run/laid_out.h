#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/layout_plan.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The value with its arrays in the layouts of these leaves: copies of those
/// that have another one.
Value laid_out(Machine& machine, Value value, const Leaves& leaves);

/// The shape with the layouts of these leaves.
Shape with_leaves(const Shape& shape, const Leaves& leaves);

}  // namespace hlo::tpu
