#pragma once

#include <cstddef>

#include "backends/cpu/kernels/lanes/lane_op.h"

namespace hlo::cpu {

/// Whether it is one of run_wide_function's.
constexpr bool is_wide_function(Code code) {
  return code >= Code::kRsqrtF64 && code <= Code::kLogisticF64;
}

/// Computes the operation on n lanes of each register, rounded up to whole
/// vectors: a function of f64 by fused products, within 1 ulp of the exact
/// value where it was tried (`assay sweep`).
void run_wide_function(const LaneOp& op, const Register* registers, size_t n);

}  // namespace hlo::cpu
