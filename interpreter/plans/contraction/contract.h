#pragma once

#include <cstdint>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/plans/contraction/contraction.h"

namespace hlo {

/// The result of type instruction.shape: operands are converted to its element
/// type first, then integers wrap, floats and complex components are exact
/// sums rounded once.
Literal apply(const Contraction& given, const Instruction& instruction,
              Operands operands, int threads = 1);

/// The exact sum of one result element (of its real part, or its imaginary
/// part): what a backend's result is judged against.
numeric::ExactSum exact_element(const Contraction& contraction,
                                const Instruction& instruction,
                                Operands operands, int64_t position,
                                bool imaginary);

}  // namespace hlo
