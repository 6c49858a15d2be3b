#pragma once

#include "interpreter/definition/numbers/unbounded_integer.h"
#include "interpreter/model/literal.h"

namespace hlo::definition {

/// A number that is larger for an element which comes later in the total order
/// of its type (spec/ops/compare.md); no complex type.
Integer total_order(const Scalar& x);

}  // namespace hlo::definition
