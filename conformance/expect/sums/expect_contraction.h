#pragma once

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/plans/contraction/contraction.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// The set of sums of products (Op::terms) of a float or complex type; see
/// expect(). What the plan of the operation says where it lies, or null, makes
/// it fast.
Expectation expect_contraction(const Contraction* plan,
                               const Instruction& instruction,
                               Operands operands, const Literal& reference,
                               const Literal* observed, const Profile& profile);

}  // namespace hlo::conformance
