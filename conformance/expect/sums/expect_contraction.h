#pragma once

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/plans/contraction/contraction.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// The set of a sum of products of a float or complex type; see expect().
Expectation expect_contraction(const Contraction& contraction,
                               const Instruction& instruction,
                               Operands operands, const Literal& reference,
                               const Literal* observed, const Profile& profile);

}  // namespace hlo::conformance
