#pragma once

#include "interpreter/rules/op.h"

namespace hlo {

/// The array, of the dimensions of `shape`, whose element at each index is what
/// the computation returns for the elements of the operands there. It takes
/// scalars and returns one; the operands have the dimensions of `shape`.
Literal apply_to_elements(const Computation& computation, Operands operands,
                          Shape shape, Evaluator& evaluator);

}  // namespace hlo
