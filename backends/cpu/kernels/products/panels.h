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
/// From one row of a packed panel to the next. Not a power of two, so that the
/// rows do not meet in few sets of the caches.
constexpr int64_t kRowStep = kPanelDepth + 16;

/// A panel of rows (left[i * left_step + k]) times one of columns
/// (right[k * right_step + j]). The first `rows` times `columns` of the tile
/// are written, continuing the sums that stand there where `continues`. Where
/// `columns` is neither PanelSize::columns nor half of it, the right has
/// numbers up to there, of which nothing comes.
struct PanelProduct {
  const float* left;
  int64_t left_step;
  const float* right;
  int64_t right_step;
  int64_t depth;
  bool continues;
  float* result;
  int64_t result_step;
  int64_t rows;
  int64_t columns;
};

void multiply_panels(const PanelProduct& product);

struct LinePair {
  const float* left;
  const float* right;
};

/// sums[p * n + c] = fma(left[i][p * left_step + c], right[i][c],
/// sums[p * n + c]) for i = 0, 1, ...: `count` pairs of lines of n numbers, at
/// so many places, sums from +0 on.
struct LineProduct {
  const LinePair* pairs;
  int64_t count;
  int64_t left_step;
  int64_t n;
};

void multiply_lines(const LineProduct& product, int64_t places, float* sums);

}  // namespace hlo::cpu
