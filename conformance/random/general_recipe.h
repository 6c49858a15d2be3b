#pragma once

#include "conformance/random/recipe.h"

namespace hlo::conformance {

/// What may be an instruction of an operation that has no recipe of its own: as
/// its definition and its attributes have it. Operands of one shape, but for
/// the initial values of what folds; attributes of the kinds that say something
/// of dimensions or are computations.
void write_general(ProgramWriter& writer, const Op& op);

}  // namespace hlo::conformance
