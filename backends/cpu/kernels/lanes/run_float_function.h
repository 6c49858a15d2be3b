#pragma once

#include <cstddef>

#include "backends/cpu/kernels/lanes/lane_op.h"

namespace hlo::cpu {

/// Computes the operation on n lanes of each register, rounded up to whole
/// vectors, where it is a function that needs no more than f32 and fused
/// products: e^x within 0.78 ulp of the exact value, e^x - 1 within 0.89, log
/// within 0.64, log(1 + x) within 0.66, tanh within 0.77, logistic within 0.79,
/// erf within 0.99 (`assay sweep` asks for all operands). False of all others.
bool run_float_function(const LaneOp& op, const Register* registers, size_t n);

}  // namespace hlo::cpu
