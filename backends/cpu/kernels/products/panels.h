#pragma once

#include <cstdint>
#include <span>

namespace hlo::cpu {

/// Rows and columns of the tile of a product that stays in registers.
struct PanelSize {
  int64_t rows;
  int64_t columns;
};

PanelSize panel_size();

/// The greatest depth of a panel. What tiles read meanwhile stays in L2; the
/// less often sums go to memory, the better.
constexpr int64_t kPanelDepth = 1024;
/// From one row of a packed panel of that depth to the next. Not a power of
/// two, so that the rows do not meet in few sets of the caches.
constexpr int64_t kRowStep = kPanelDepth + 16;

/// From one row to the next of panels that are packed for a product of so much
/// depth: shallow ones lie together, in few pages.
constexpr int64_t packed_step(int64_t depth) {
  constexpr int64_t kShallow = 256;
  return depth <= kShallow ? kShallow + 16 : kRowStep;
}

/// How many rows a part of a product may leave out.
constexpr int64_t kMostLeftOut = 2;

/// Where the factors of some products begin.
struct Factors {
  const float* left;
  const float* right;
  /// How many first rows of a panel add nothing, or as a negative number how
  /// many last ones. The left begins at the first row that adds something.
  int64_t left_out = 0;
};

/// Panels of rows (left[i * left_step + k]) times panels of columns
/// (right[k * right_step + j]): one sum over `parts` of so many k each, one
/// after the other. The first `rows` times `columns` of the tile are written,
/// continuing the sums that stand there where `continues`. Where `columns` is
/// neither PanelSize::columns nor half of it, or rows are left out, the right
/// has numbers up to there, of which nothing comes.
struct PanelProduct {
  std::span<const Factors> parts;
  int64_t left_step;
  int64_t right_step;
  int64_t depth;    // of each part
  bool leaves_out;  // whether a part leaves out rows
  bool continues;
  float* result;
  int64_t result_step;
  int64_t rows;
  int64_t columns;
};

void multiply_panels(const PanelProduct& product);

/// sums[p * n + c] = fma(left[i][p * left_step + c], right[i][c],
/// sums[p * n + c]) for i = 0, 1, ...: pairs of lines of n numbers, at so many
/// places, sums from +0 on.
struct LineProduct {
  std::span<const Factors> pairs;
  int64_t left_step;
  int64_t n;
};

void multiply_lines(const LineProduct& product, int64_t places, float* sums);

}  // namespace hlo::cpu
