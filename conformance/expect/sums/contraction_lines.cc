#include "conformance/expect/sums/contraction_lines.h"

namespace hlo::conformance {
namespace {

// Columns are kept as long as they take little.
constexpr int64_t kMaxKept = int64_t{1} << 24;

}  // namespace

ContractionLines::ContractionLines(const Contraction& contraction)
    : contraction_(contraction) {
  const bool all = contraction.columns * contraction.depth <= kMaxKept;
  columns_.resize(all ? static_cast<size_t>(contraction.columns) : 1);
}

ContractionLines::Lines ContractionLines::find(int64_t position) {
  int64_t gmn[3] = {0, 0, 0};
  contraction_.locate(position, gmn);
  const auto [g, m, n] = gmn;
  Line& column = columns_[columns_.size() == 1 ? 0 : static_cast<size_t>(n)];
  return {load(contraction_.lhs, g, m, row_),
          load(contraction_.rhs, g, n, column)};
}

const std::vector<int64_t>& ContractionLines::load(const Runs& runs, int64_t g,
                                                   int64_t index,
                                                   Line& line) const {
  if (line.g != g || line.index != index) {
    line.g = g;
    line.index = index;
    line.positions.resize(static_cast<size_t>(contraction_.depth));
    runs(g, index, line.positions.data());
  }
  return line.positions;
}

}  // namespace hlo::conformance
