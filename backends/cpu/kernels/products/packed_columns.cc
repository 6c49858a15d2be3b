#include "backends/cpu/kernels/products/packed_columns.h"

#include <algorithm>
#include <cstring>

#include "backends/cpu/kernels/moves/turn_words.h"
#include "backends/cpu/kernels/products/panels.h"

namespace hlo::cpu {
namespace {

/// Copies a line of a panel, of a width that is known here.
template <size_t kWidth>
void copy_line(const std::byte* from, float* to) {
  std::memcpy(to, from, kWidth * sizeof(float));
}

/// Reads n numbers, kPanelDepth at most, that lie `step` apart.
void read_line(Stored stored, const std::byte* from, int64_t step, int64_t n,
               float* to) {
  if (step == 1 && stored == Stored::kWord) {
    std::memcpy(to, from, static_cast<size_t>(n) * sizeof(float));
    return;
  }
  if (step == 1) return read_lanes(stored, from, n, to);
  if (stored == Stored::kWord) {
    const auto* words = reinterpret_cast<const float*>(from);
    for (int64_t i = 0; i < n; ++i) to[i] = words[i * step];
    return;
  }
  const auto* halves = reinterpret_cast<const uint16_t*>(from);
  uint16_t line[kPanelDepth];
  for (int64_t i = 0; i < n; ++i) line[i] = halves[i * step];
  read_lanes(stored, reinterpret_cast<const std::byte*>(line), n, to);
}

/// Writes n numbers of a row and zeros up to the width of a panel. Weights
/// mostly lie row by row: their lines are copied as memory.
void pack_line(const Matrix& matrix, int64_t row, int64_t column, int64_t n,
               int64_t width, float* to) {
  const std::byte* from = matrix.at(row, column);
  if (matrix.column_step == 1 && matrix.stored == Stored::kWord) {
    if (n == 32) return copy_line<32>(from, to);
    if (n == 16) return copy_line<16>(from, to);
  }
  read_line(matrix.stored, from, matrix.column_step, n, to);
  std::fill(to + n, to + width, 0.0F);
}

/// As pack_lines, panel after panel: numbers of a column lie beside each other.
void pack_panels(const Matrix& matrix, int64_t columns, int64_t first,
                 int64_t last, const PackedColumns& to) {
  for (int64_t p = 0; p < to.panels; ++p) {
    const int64_t column = p * to.width;
    const int64_t n = std::min(to.width, columns - column);
    read_rows(matrix.from(first, column), last - first, n, to.line(first, p),
              to.width);
    for (int64_t k = first; n < to.width && k < last; ++k) {
      std::fill(to.line(k, p) + n, to.line(k, p) + to.width, 0.0F);
    }
  }
}

}  // namespace

void read_rows(const Matrix& from, int64_t rows, int64_t columns, float* to,
               int64_t step) {
  if (from.row_step == 1 && from.stored == Stored::kWord) {
    turn_words(sizeof(float), {from.first, from.column_step}, columns, rows,
               {to, step});
    return;
  }
  for (int64_t i = 0; i < rows; ++i) {
    read_line(from.stored, from.at(i, 0), from.column_step, columns,
              to + i * step);
  }
}

void pack_lines(const Matrix& matrix, int64_t columns, int64_t first,
                int64_t last, const PackedColumns& to) {
  if (matrix.row_step == 1)
    return pack_panels(matrix, columns, first, last, to);
  for (int64_t k = first; k < last; ++k) {
    for (int64_t p = 0; p < to.panels; ++p) {
      const int64_t column = p * to.width;
      pack_line(matrix, k, column, std::min(to.width, columns - column),
                to.width, to.line(k, p));
    }
  }
}

}  // namespace hlo::cpu
