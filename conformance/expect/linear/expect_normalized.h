#pragma once

#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// What each leaf of a batch-norm's result may be: an interval around the exact
/// value (spec/ops/batch_norm_training.md, Accuracy, and the other two).
std::vector<Expectation> expect_normalized(
    const Instruction& norm, Operands operands,
    const std::vector<Literal>& reference, const std::vector<Literal>* observed,
    const Profile& profile);

}  // namespace hlo::conformance
