#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/plans/contraction/contraction.h"

namespace hlo::conformance {

/// Where the factors of one element of a contraction after the other lie: rows
/// and columns are looked up once for all elements that they are factors of.
class ContractionLines {
 public:
  /// Refers to the contraction.
  explicit ContractionLines(const Contraction& contraction);

  /// Calls visit(left, right) for the row-major positions of the factors of
  /// each term of the element at a row-major position.
  template <typename Visit>
  void for_each_term(int64_t position, const Visit& visit) {
    const auto [row, column] = find(position);
    for (size_t k = 0; k < row.size(); ++k) {
      // Padding is no term.
      if (row[k] < 0 || column[k] < 0) continue;
      visit(static_cast<size_t>(row[k]), static_cast<size_t>(column[k]));
    }
  }

 private:
  /// The positions of a line; -1 where it has no factor.
  struct Line {
    int64_t g = -1;
    int64_t index = -1;
    std::vector<int64_t> positions;
  };

  struct Lines {
    const std::vector<int64_t>& row;
    const std::vector<int64_t>& column;
  };

  Lines find(int64_t position);
  const std::vector<int64_t>& load(const Runs& runs, int64_t g, int64_t index,
                                   Line& line) const;

  const Contraction& contraction_;
  Line row_;
  std::vector<Line> columns_;
};

}  // namespace hlo::conformance
