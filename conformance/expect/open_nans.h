#pragma once

#include <span>
#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// expect() of an instruction that runs no computation by Op::control, with
/// what comes of other NaNs in its operands: `operand_sets` says which ones
/// these may have. Where a NaN is handed on it is any that the operand may
/// have, and where its bits become a number the result is unspecified.
std::vector<Expectation> expect_with_nans(
    const Instruction& instruction, Operands operands,
    std::span<const std::vector<Expectation>* const> operand_sets,
    const Literal& reference, const std::vector<Literal>* observed,
    const Profile& profile);

}  // namespace hlo::conformance
