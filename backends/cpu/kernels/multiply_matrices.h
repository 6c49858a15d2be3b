#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "backends/cpu/kernels/stored.h"

namespace hlo::cpu {

/// rows x depth numbers that a product reads on the left. pack(first, rows,
/// k, depth, to) writes to[i * kRowStep + j] = element (first + i, k + j).
struct LeftMatrix {
  int64_t rows = 0;
  int64_t depth = 0;
  std::function<void(int64_t first, int64_t rows, int64_t k, int64_t depth,
                     float* to)>
      pack;
};

/// A matrix of f32, bf16 or f16 in memory, with any steps between its rows and
/// columns.
struct Matrix {
  const void* first = nullptr;
  int64_t row_step = 0;
  int64_t column_step = 0;
  Stored stored = Stored::kWord;
};

/// The left matrix of numbers in memory.
LeftMatrix left_matrix(const Matrix& matrix, int64_t rows, int64_t depth);

/// result[m][n] = the sum over k of left[m][k] * right[k][n], each row
/// `result_step` after the one before. Each sum is the chain of fused products
/// fma(left, right, sum) in the order of k, from +0 on, however many threads
/// and whatever vectors compute it.
void multiply_matrices(const LeftMatrix& left, const Matrix& right,
                       int64_t columns, float* result, int64_t result_step);

}  // namespace hlo::cpu
