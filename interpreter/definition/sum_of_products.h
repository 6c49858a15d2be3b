#pragma once

#include <functional>

#include "interpreter/rules/op.h"

namespace hlo::definition {

/// Calls the visitor with each term of a sum (interpreter/rules/op.h).
using EachTerm = std::function<void(const VisitTerm&)>;

/// The sum over the terms of products of elements of the operands: integers
/// wrap, pred is the or of ands, floats and parts of complex numbers are exact
/// sums from +0 on, rounded once.
Scalar sum_of_products(Operands operands, const EachTerm& terms,
                       ElementType type);

}  // namespace hlo::definition
