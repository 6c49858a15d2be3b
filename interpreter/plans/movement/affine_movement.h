#pragma once

#include "interpreter/plans/movement/movement.h"

namespace hlo {

/// The movement of an instruction whose operation says that its source is
/// affine (Op::moving): from the sources of the first element of the result, of
/// its neighbours and of the last one.
Movement affine_movement(const Instruction& instruction, Operands operands);

}  // namespace hlo
