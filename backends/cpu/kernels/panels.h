#pragma once

#include <cstdint>

namespace hlo::cpu {

/// Rows and columns of the tile of a product that stays in registers.
struct PanelSize {
  int64_t rows;
  int64_t columns;
};

PanelSize panel_size();

/// The greatest depth of a panel, whose columns then lie in L1.
constexpr int64_t kPanelDepth = 256;
/// From one row of a panel to the next. Not a power of two, so that the rows do
/// not meet in few sets of the caches.
constexpr int64_t kRowStep = kPanelDepth + 16;

/// A panel of rows (left[i * kRowStep + k]) times one of columns
/// (right[k * PanelSize::columns + j]). The first `rows` times `columns` of the
/// tile are written, continuing the sums that stand there where `continues`.
struct PanelProduct {
  const float* left;
  const float* right;
  int64_t depth;
  bool continues;
  float* result;
  int64_t result_step;
  int64_t rows;
  int64_t columns;
};

void multiply_panels(const PanelProduct& product);

/// sums[c] = fma(left[i][c], right[i][c], sums[c]) for i = 0, 1, ...: `count`
/// pairs of lines of n numbers, sums from +0 on.
struct LinePair {
  const float* left;
  const float* right;
};

void multiply_lines(const LinePair* pairs, int64_t count, float* sums,
                    int64_t n);

}  // namespace hlo::cpu
