#pragma once

#include <cstddef>
#include <span>

#include "backends/cpu/kernels/lanes/lane_op.h"

namespace hlo::cpu {

/// Computes the operations on n lanes of each register, rounded up to whole
/// vectors.
void run_ops(std::span<const LaneOp> ops, const Register* registers, size_t n);

}  // namespace hlo::cpu
