#pragma once

#include "conformance/sets/expectation.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// Whether the level that a result has to keep by default allows the function
/// a number of steps, or the neighbours of the exact value, at every operand.
bool is_bounded_by_steps(const Op& op, ElementType type);

/// What the elements of a real or complex function may be by that level. The
/// set is right at the elements where `observed` differs from the reference;
/// null stands for all elements.
Expectation expect_rounded(const Op& op, Operands operands,
                           const Literal& reference, const Literal* observed);

}  // namespace hlo::conformance
