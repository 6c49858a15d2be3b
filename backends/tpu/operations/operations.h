#pragma once

#include "backends/tpu/machine/machine.h"
#include "backends/tpu/program/value.h"

// What the machine does for an instruction that runs no computation by itself.
// Operands are arrays; the result has the layout of `shape`.

namespace hlo::tpu {

/// An element-wise operation: registers of all operands side by side.
TiledArray elementwise(Machine& machine, const Instruction& instruction,
                       const Values& operands, const Shape& shape);

/// An operation that moves elements: each register of the result is gathered
/// from those of the operands.
TiledArray movement(Machine& machine, const Instruction& instruction,
                    const Values& operands, const Shape& shape);

/// The array in another layout of the same dimensions and type.
TiledArray relayout(Machine& machine, const TiledArray& array,
                    const Shape& shape);

}  // namespace hlo::tpu
