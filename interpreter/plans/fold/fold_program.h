#pragma once

#include "interpreter/plans/fold/fold.h"

namespace hlo {

/// Any other reducer, in order: init first, then the cells. `operands` have the
/// types of the reducer's parameters.
Literal fold_in_order(const Fold& fold, const Shape& shape, Operands operands,
                      Evaluator& evaluator);

}  // namespace hlo
