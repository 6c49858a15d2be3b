#pragma once

#include "interpreter/plans/fold/fold.h"
#include "interpreter/rules/known_reducer.h"

namespace hlo {

/// Folds of operations whose order does not matter: the wrapping ones of
/// integers, maximum and minimum, and, or, xor; for pred, integers and (maximum
/// and minimum only) floats. `operand` and `init` have the result's type.
Literal fold_typed(const Fold& fold, Reducer reducer, const Shape& shape,
                   const Literal& operand, const Literal& init,
                   const Evaluator& evaluator);

}  // namespace hlo
