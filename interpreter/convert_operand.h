#pragma once

#include "interpreter/op.h"

namespace hlo {

/// The array with its elements converted to `type` as `convert` does it;
/// shares the elements where it has that type already.
Literal converted(const Literal& operand, ElementType type,
                  const Evaluator& evaluator);

}  // namespace hlo
