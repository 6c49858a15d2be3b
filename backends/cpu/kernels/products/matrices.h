#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "backends/cpu/kernels/stored.h"

namespace hlo::cpu {

/// A matrix of f32, bf16 or f16 in memory, with any steps between its rows and
/// columns.
struct Matrix {
  const void* first = nullptr;
  int64_t row_step = 0;
  int64_t column_step = 0;
  Stored stored = Stored::kWord;

  /// Where an element lies.
  const std::byte* at(int64_t row, int64_t column) const {
    return static_cast<const std::byte*>(first) +
           (row * row_step + column * column_step) *
               static_cast<int64_t>(width_of(stored));
  }

  /// The part that begins at an element.
  Matrix from(int64_t row, int64_t column) const {
    return {at(row, column), row_step, column_step, stored};
  }

  Matrix columns_from(int64_t column) const { return from(0, column); }
};

/// Writes columns k ... k + depth - 1 of some rows: to[i * step + j] = element
/// (i, k + j).
using PackRows =
    std::function<void(int64_t k, int64_t depth, int64_t step, float* to)>;

/// rows x depth numbers that a product reads on the left.
struct LeftMatrix {
  int64_t rows = 0;
  int64_t depth = 0;
  /// Without a list of rows: where they lie.
  Matrix memory = {};
  /// What packs `rows` rows from `first` on.
  std::function<PackRows(int64_t first, int64_t rows)> list = {};
};

/// The left matrix of numbers in memory.
inline LeftMatrix left_matrix(const Matrix& matrix, int64_t rows,
                              int64_t depth) {
  return {rows, depth, matrix};
}

}  // namespace hlo::cpu
