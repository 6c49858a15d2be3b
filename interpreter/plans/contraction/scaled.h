#pragma once

#include <optional>

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

/// Nothing for operands of types that have no exact products in f64, or a
/// result that is no float.
std::optional<ScaledDot> scaled_dot(const Instruction& dot, Operands operands);

/// The result: exact sums rounded once.
Literal apply(const ScaledDot& scaled, const Shape& shape,
              const Evaluator& evaluator);

}  // namespace hlo
