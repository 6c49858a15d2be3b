#pragma once

#include <cstdint>

#include "backends/cpu/kernels/products/multiply_matrices.h"
#include "backends/cpu/kernels/windows.h"

namespace hlo::cpu {

/// A convolution of f32: the features of the input lie one after the other in
/// memory, and so do those of the result, which is dense: batches, places,
/// features.
struct Convolution {
  Windows windows;
  int64_t batches = 0;
  int64_t batch_step = 0;  // of the input in memory
  int64_t inputs = 0;      // features of a group
  int64_t outputs = 0;     // features of a group of the result
  int64_t groups = 1;
  const float* input = nullptr;
  /// Rows: taps, then features of a group; columns: features of the result.
  Matrix kernel;
  /// Whether all of the kernel is, or no window reaches outside of the input:
  /// else products with zeros that stand for what lies there would be NaN.
  bool finite = false;
};

/// Each element is the chain of fused products over taps, then features of its
/// group, from +0 on; taps outside of the input do not count.
void convolve(const Convolution& convolution, float* result);

/// Whether all numbers are finite.
bool all_finite(const float* numbers, int64_t count);

}  // namespace hlo::cpu
