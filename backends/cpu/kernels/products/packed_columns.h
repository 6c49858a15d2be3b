#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/kernels/products/matrices.h"

namespace hlo::cpu {

/// Columns of a matrix as panels of `width` columns, one behind the other, each
/// line by line; zero beyond the last column.
struct PackedColumns {
  int64_t depth;   // lines of a panel
  int64_t panels;  // so many
  int64_t width;
  float* floats;  // on a boundary of 64 bytes

  int64_t count() const { return depth * panels * width; }

  float* line(int64_t k, int64_t panel) const {
    return floats + (panel * depth + k) * width;
  }
};

/// Packs lines first ... last - 1 of so many columns of the matrix.
void pack_lines(const Matrix& matrix, int64_t columns, int64_t first,
                int64_t last, const PackedColumns& to);

/// Reads a matrix whose rows have kPanelDepth numbers at most: to[i * step + j]
/// = element (i, j).
void read_rows(const Matrix& from, int64_t rows, int64_t columns, float* to,
               int64_t step);

}  // namespace hlo::cpu
