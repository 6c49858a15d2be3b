#pragma once

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// The sums of a scaled-dot in any order, of factors that may have been rounded
/// to the type of the result (spec/ops/scaled_dot.md, Accuracy). Right at the
/// elements where `observed` differs from the reference; null: at all.
Expectation expect_scaled(const Instruction& dot, Operands operands,
                          const Literal& reference, const Literal* observed,
                          const Profile& profile);

}  // namespace hlo::conformance
