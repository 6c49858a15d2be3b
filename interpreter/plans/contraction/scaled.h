#pragma once

#include <cstdint>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/plans/contraction/contraction.h"
#include "interpreter/rules/op.h"

namespace hlo {

/// A scaled-dot as sums of products of numbers that are scaled already: exact
/// in f64 (spec/ops/scaled_dot.md).
struct ScaledDot {
  Contraction contraction;
  Literal lhs;
  Literal rhs;
};

/// Evaluate error "scaled-dot.types" for operands of types that have no exact
/// products in f64, or a result that is no float.
ScaledDot scaled_dot(const Instruction& dot, Operands operands);

/// The result: exact sums rounded once.
Literal apply(const ScaledDot& scaled, const Shape& shape,
              const Evaluator& evaluator);
/// The exact sum of the element at a row-major position.
numeric::ExactSum exact_element(const ScaledDot& scaled, int64_t position);

}  // namespace hlo
