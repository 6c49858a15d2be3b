#pragma once

#include <cstdint>
#include <span>

#include "backends/cpu/kernels/products/matrices.h"
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
  /// All numbers of the kernel, in any order.
  std::span<const float> weights;

  const float* weight(int64_t row, int64_t column) const {
    return reinterpret_cast<const float*>(kernel.at(row, column));
  }
};

}  // namespace hlo::cpu
