#pragma once

#include <cstdint>
#include <vector>

#include "backends/tpu/machine/lane_gather.h"
#include "interpreter/plans/fold/fold.h"

namespace hlo::tpu {

/// The cells of the elements of a result that lie in one register, in the order
/// in which they are folded. The lanes that hold elements count from 0.
class FoldCells {
 public:
  FoldCells(const Fold& fold, const LaneElements& results);

  /// How many lanes hold elements.
  int64_t lanes() const { return std::ssize(lanes_); }

  /// Which lane of the register the i-th of them is.
  int64_t lane(int64_t i) const { return lanes_[static_cast<size_t>(i)]; }

  /// The next cells, as many as a register holds or are left: elements[c *
  /// lanes() + i] is cell c of lane i, or TileOrder::kPadding where it lies
  /// outside of the operand. How many cells; 0 behind the last.
  int64_t next(LaneElements& elements);

 private:
  bool has_shared(int64_t& shared) const;
  int64_t element(size_t lane, int64_t shared) const;
  void step();

  /// An axis on which both the lane and the cell have a say.
  struct Sliding {
    FoldAxis axis;
    size_t number;
    std::vector<int64_t> places;  // of the lanes
  };

  const Fold& fold_;
  std::vector<int64_t> lanes_;
  std::vector<int64_t> bases_;  // of the lanes; kPadding: no cells
  std::vector<size_t> shared_;  // axes that are the same for all lanes
  std::vector<Sliding> sliding_;
  std::vector<int64_t> cell_;
  bool is_over_ = false;
};

}  // namespace hlo::tpu
