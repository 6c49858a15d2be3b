#pragma once

#include "interpreter/plans/fold/fold.h"

namespace hlo {

/// The exact sums of floats or complex numbers, rounded once. `operand` and
/// `init` have the result's type.
Literal fold_sum(const Fold& fold, const Shape& shape, const Literal& operand,
                 const Literal& init, const Evaluator& evaluator);

}  // namespace hlo
