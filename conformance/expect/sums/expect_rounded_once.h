#pragma once

#include "conformance/sets/expectation.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// What a level whose sums are exact and rounded once admits of a contraction:
/// the reference's result. A zero that stands for NaN, where the format has
/// none, has either sign.
ArraySet expect_rounded_once(const Instruction& contraction, Operands operands,
                             const Literal& reference);

}  // namespace hlo::conformance
