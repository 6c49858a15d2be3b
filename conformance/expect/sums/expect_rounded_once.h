#pragma once

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// What a level whose sums are exact and rounded once admits of a contraction:
/// the reference's result. A zero that stands for NaN, where the format has
/// none, has either sign.
ArraySet expect_rounded_once(const Instruction& contraction, Operands operands,
                             const Literal& reference);

/// Whether the level of the profile asks transforms, factors, solutions or
/// norms for the exact result, rounded once.
bool asks_for_exact_result(const Instruction& instruction,
                           const Profile& profile);

/// That result, of which the reference's is one array.
ArraySet expect_exact_result(const Literal& reference);

}  // namespace hlo::conformance
