#pragma once

#include <cstddef>

#include "backends/cpu/kernels/lanes/lane_op.h"

namespace hlo::cpu {

/// Computes an operation that is_wide() on n lanes of each register, rounded up
/// to whole vectors. Where it makes lanes of 64 bits of such of 32, its result
/// is none of its operands' registers.
void run_wide_op(const LaneOp& op, const Register* registers, size_t n);

}  // namespace hlo::cpu
