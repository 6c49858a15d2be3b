#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The array of a gather: each register of the result is gathered from those of
/// the operand. Indices are read from their tiles, each when a slice begins.
TiledArray gathered_slices(Machine& machine, const Instruction& gather,
                           const Values& operands, const Shape& shape);

}  // namespace hlo::tpu
