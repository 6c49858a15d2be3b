#pragma once

#include <cstdint>

#include "backends/cpu/kernels/products/matrices.h"

namespace hlo::cpu {

/// result[m][n] = the sum over k of left[m][k] * right[k][n], each row
/// `result_step` after the one before. Each sum is the chain of fused products
/// fma(left, right, sum) in the order of k, from +0 on, however many threads
/// and whatever vectors compute it.
void multiply_matrices(const LeftMatrix& left, const Matrix& right,
                       int64_t columns, float* result, int64_t result_step);

}  // namespace hlo::cpu
