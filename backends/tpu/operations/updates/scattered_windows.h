#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/operations/updates/next_updates.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// Which element of the updates goes to which element of the operand: window
/// after window, of those that lie in the operand as a whole. The indices,
/// which outlive it, are read from their tiles, each when its window begins.
NextUpdates scattered_windows(Machine& machine, const Instruction& scatter,
                              const Shape& operand, const TiledArray& indices,
                              const Shape& updates);

}  // namespace hlo::tpu
