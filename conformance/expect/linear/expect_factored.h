#pragma once

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// What the elements of a cholesky may be: an interval around the exact factor
/// (spec/ops/cholesky.md, Accuracy), anything in the other triangle and for a
/// matrix that is not positive definite. Right at the elements where `observed`
/// differs from the reference; null: at all.
Expectation expect_factored(const Instruction& cholesky,
                            const Literal& reference, const Literal* observed,
                            const Profile& profile);

}  // namespace hlo::conformance
