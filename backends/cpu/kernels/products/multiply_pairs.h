#pragma once

#include <cstdint>

#include "backends/cpu/kernels/products/matrices.h"

namespace hlo::cpu {

/// As multiply_matrices, to the same bits, of numbers of bf16 by the machine's
/// products of pairs. False, with nothing written, where it has none, where
/// the product is too small to gain, or where a number is so small that these
/// might flush what fused products keep.
bool multiply_pairs(const LeftMatrix& left, const Matrix& right,
                    int64_t columns, float* result, int64_t result_step);

}  // namespace hlo::cpu
