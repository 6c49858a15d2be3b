#pragma once

#include "interpreter/plans/fold/fold.h"

namespace hlo {

/// The exact products of floats, rounded once. `operand` and `init` have the
/// result's type.
Literal fold_product(const Fold& fold, const Shape& shape,
                     const Literal& operand, const Literal& init,
                     const Evaluator& evaluator);

}  // namespace hlo
