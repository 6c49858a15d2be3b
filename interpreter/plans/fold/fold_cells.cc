#include "interpreter/plans/fold/fold_cells.h"

namespace hlo {

FoldCells::FoldCells(const Fold& fold, int64_t first, int64_t count)
    : fold_(fold), bases_(static_cast<size_t>(count), 0) {
  for (size_t lane = 0; lane < bases_.size(); ++lane) {
    add_lane(first + static_cast<int64_t>(lane), lane);
  }
}

void FoldCells::find(const Index& cell) {
  positions_.clear();
  lanes_.clear();
  int64_t base = 0;
  for (size_t a = 0; a < cell.size(); ++a) {
    const FoldAxis& axis = fold_.axes[a];
    if (axis.is_full()) {
      base += cell[a] * axis.cell_step * axis.operand_stride;
    }
  }
  for (size_t lane = 0; lane < bases_.size(); ++lane) {
    const int64_t clipped = clipped_position(cell, lane);
    if (clipped < 0) continue;
    positions_.push_back(bases_[lane] + base + clipped);
    lanes_.push_back(static_cast<int64_t>(lane));
  }
}

// Notes the part of the position that does not depend on the cell, and the
// lane's places along the axes where cells may be missing.
void FoldCells::add_lane(int64_t position, size_t lane) {
  for (const FoldAxis& axis : fold_.axes) {
    const int64_t place =
        axis.result_size == 1
            ? 0
            : position / axis.result_stride % axis.result_size;
    if (axis.is_full()) {
      bases_[lane] +=
          (place * axis.result_step + axis.offset) * axis.operand_stride;
    } else {
      places_.push_back(place);
    }
  }
}

// -1 where the lane has no such cell.
int64_t FoldCells::clipped_position(const Index& cell, size_t lane) const {
  if (places_.empty()) return 0;
  int64_t position = 0;
  size_t next = lane * (places_.size() / bases_.size());
  for (size_t a = 0; a < cell.size(); ++a) {
    const FoldAxis& axis = fold_.axes[a];
    if (axis.is_full()) continue;
    const int64_t p = axis.position(places_[next++], cell[a]);
    if (p < 0) return -1;
    position += p * axis.operand_stride;
  }
  return position;
}

}  // namespace hlo
