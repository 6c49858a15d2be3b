#pragma once

#include <vector>

#include "interpreter/rules/op.h"

namespace hlo::definition {

/// The sum over the terms of products of elements of `lhs` and `rhs`, which are
/// converted to `type` first: integers wrap, pred is the or of ands, floats and
/// parts of complex numbers are exact sums from +0 on, rounded once.
Scalar sum_of_products(const Literal& lhs, const Literal& rhs,
                       const std::vector<Term>& terms, ElementType type);

}  // namespace hlo::definition
