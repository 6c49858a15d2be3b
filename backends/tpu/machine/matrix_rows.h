#pragma once

#include <cstdint>
#include <span>

namespace hlo::tpu {

/// A row that passes the matrix unit: its numbers, the depth of each, which
/// ascends, and the sums that they are added to.
template <typename T>
struct MatrixRow {
  const T* numbers;
  const int32_t* depths;
  int64_t count;
  T* sums;
};

/// sums[n] += numbers[i] * cells[depths[i] * size + n] for all i, one after the
/// other, each product and each sum rounded, and for all n below `columns`
/// rounded up to a multiple of 64, where cells are 0. The bits are the same on
/// every machine.
void pass_rows(std::span<const MatrixRow<double>> rows, const double* cells,
               int64_t size, int64_t columns);
void pass_rows(std::span<const MatrixRow<float>> rows, const float* cells,
               int64_t size, int64_t columns);

}  // namespace hlo::tpu
