#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// Whether contract() computes the operation: one that is defined by sums of
/// products, but for what the reference refuses to evaluate.
bool is_contraction(const Instruction& instruction);

/// Sums of products: on the matrix unit, or on the vector unit where that takes
/// fewer cycles, as with a feature group for each feature. Both give the same
/// bits. The result has the layout of `shape`.
TiledArray contract(Machine& machine, const Instruction& instruction,
                    const Values& operands, const Shape& shape);

}  // namespace hlo::tpu
