#pragma once

#include "interpreter/plans/contraction/contraction.h"

namespace hlo {

/// The result of type instruction.shape: operands are converted to its element
/// type first, then integers wrap, floats and complex components are exact
/// sums rounded once.
Literal apply(const Contraction& given, const Instruction& instruction,
              Operands operands, int threads = 1);

}  // namespace hlo
