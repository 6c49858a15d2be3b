#pragma once

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// What the elements of a triangular-solve may be: an interval around the
/// exact solution (spec/ops/triangular_solve.md, Accuracy). Right at the
/// elements where `observed` differs from the reference; null: at all.
Expectation expect_solved(const Instruction& solve, Operands operands,
                          const Literal& reference, const Literal* observed,
                          const Profile& profile);

}  // namespace hlo::conformance
