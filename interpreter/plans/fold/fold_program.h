#pragma once

#include <optional>

#include "interpreter/plans/fold/fold.h"

namespace hlo {

/// Any other reducer, in order: init first, then the cells; nothing for a
/// reducer that is no straight program. `operands` have the types of its
/// parameters.
std::optional<Literal> fold_in_order(const Fold& fold, const Shape& shape,
                                     Operands operands, Evaluator& evaluator);

}  // namespace hlo
