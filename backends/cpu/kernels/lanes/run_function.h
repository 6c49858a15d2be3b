#pragma once

#include <cstddef>

#include "backends/cpu/kernels/lanes/lane_op.h"

namespace hlo::cpu {

/// Whether it is one of run_function's.
constexpr bool is_function(Code code) {
  return code >= Code::kRsqrtF32 && code <= Code::kExponentialOfDifferenceF32;
}

/// Computes the operation on n lanes of each register, rounded up to whole
/// vectors, where it is a function of f32: one of run_float_function's, or
/// computed in double, within 2^-28 of the exact value, relative, and then
/// rounded. False of all others.
bool run_function(const LaneOp& op, const Register* registers, size_t n);

}  // namespace hlo::cpu
