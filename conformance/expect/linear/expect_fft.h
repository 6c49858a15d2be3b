#pragma once

#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// The set of fft: each part of an element within a share of the 2-norm of its
/// transform (spec/ops/fft.md, What a backend may return); see expect().
Expectation expect_fft(const Instruction& fft, Operands operands,
                       const Literal& reference, const Literal* observed,
                       const Profile& profile);

}  // namespace hlo::conformance
