#pragma once

#include <vector>

#include "interpreter/rules/op.h"

namespace hlo::definition {

/// The sum over the terms (interpreter/rules/op.h) of products of elements of
/// the operands: integers wrap, pred is the or of ands, floats and parts of
/// complex numbers are exact sums from +0 on, rounded once.
Scalar sum_of_products(Operands operands, const std::vector<Term>& terms,
                       ElementType type);

}  // namespace hlo::definition
