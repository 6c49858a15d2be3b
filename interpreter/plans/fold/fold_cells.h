#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/plans/fold/fold.h"

namespace hlo {

/// The elements under one cell of a run of result elements ("lanes").
class FoldCells {
 public:
  /// Result elements [first, first + count); refers to the fold.
  FoldCells(const Fold& fold, int64_t first, int64_t count);

  /// Finds, for the cell, which lanes have an element and where.
  void find(const Index& cell);

  /// Positions in the operand, of each of lanes().
  const std::vector<int64_t>& positions() const { return positions_; }

  const std::vector<int64_t>& lanes() const { return lanes_; }

 private:
  void add_lane(int64_t position, size_t lane);
  int64_t clipped_position(const Index& cell, size_t lane) const;

  const Fold& fold_;
  std::vector<int64_t> bases_;   // by lane
  std::vector<int64_t> places_;  // by lane, then by clipped axis
  std::vector<int64_t> positions_;
  std::vector<int64_t> lanes_;
};

}  // namespace hlo
