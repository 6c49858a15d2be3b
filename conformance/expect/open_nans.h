#pragma once

#include <span>
#include <vector>

#include "conformance/sets/expectation.h"
#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// Adds to what an instruction may return, which runs no computation by
/// Op::control, what comes of other NaNs in its operands: `operand_sets` says
/// which ones these may have. Where a NaN is handed on it is any quiet one, and
/// where its bits become a number the result is unspecified.
void add_other_nans(
    const Instruction& instruction, Operands operands,
    std::span<const std::vector<Expectation>* const> operand_sets,
    std::vector<Expectation>& sets);

}  // namespace hlo::conformance
