#include "backends/tpu/operations/fold_cells.h"

#include <algorithm>

namespace hlo::tpu {
namespace {

int64_t place_of(const FoldAxis& axis, int64_t result) {
  return axis.result_size == 1 ? 0
                               : result / axis.result_stride % axis.result_size;
}

}  // namespace

FoldCells::FoldCells(const Fold& fold, const LaneElements& results)
    : fold_(fold), cell_(fold.axes.size()) {
  for (int64_t k = 0; k < kLanes; ++k) {
    if (results[static_cast<size_t>(k)] != TileOrder::kPadding) {
      lanes_.push_back(k);
    }
  }
  bases_.assign(lanes_.size(), 0);
  for (size_t a = 0; a < fold.axes.size(); ++a) {
    const FoldAxis& axis = fold.axes[a];
    is_over_ = is_over_ || axis.cells == 0;
    if (axis.result_size == 1) {
      shared_.push_back(a);
      continue;
    }
    std::vector<int64_t> places;
    for (const int64_t lane : lanes_) {
      places.push_back(place_of(axis, results[static_cast<size_t>(lane)]));
    }
    if (axis.cells != 1) {
      sliding_.push_back({axis, a, std::move(places)});
      continue;
    }
    for (size_t i = 0; i < places.size(); ++i) {
      const int64_t position = axis.position(places[i], 0);
      if (position < 0 || bases_[i] == TileOrder::kPadding) {
        bases_[i] = TileOrder::kPadding;
      } else {
        bases_[i] += position * axis.operand_stride;
      }
    }
  }
}

bool FoldCells::has_shared(int64_t& shared) const {
  shared = 0;
  for (const size_t a : shared_) {
    const int64_t position = fold_.axes[a].position(0, cell_[a]);
    if (position < 0) return false;
    shared += position * fold_.axes[a].operand_stride;
  }
  return true;
}

int64_t FoldCells::element(size_t lane, int64_t shared) const {
  if (bases_[lane] == TileOrder::kPadding) return TileOrder::kPadding;
  int64_t element = bases_[lane] + shared;
  for (const Sliding& along : sliding_) {
    const int64_t position =
        along.axis.position(along.places[lane], cell_[along.number]);
    if (position < 0) return TileOrder::kPadding;
    element += position * along.axis.operand_stride;
  }
  return element;
}

/// To the next cell, row-major.
void FoldCells::step() {
  size_t a = cell_.size();
  while (a > 0 && ++cell_[a - 1] == fold_.axes[a - 1].cells) cell_[--a] = 0;
  is_over_ = a == 0;
}

int64_t FoldCells::next(LaneElements& elements) {
  elements.fill(TileOrder::kPadding);
  const int64_t most = kLanes / std::max<int64_t>(lanes(), 1);
  int64_t cells = 0;
  for (; !is_over_ && cells < most; step()) {
    int64_t shared = 0;
    if (!has_shared(shared)) continue;
    for (size_t i = 0; i < lanes_.size(); ++i) {
      elements[static_cast<size_t>(cells * lanes()) + i] = element(i, shared);
    }
    cells += 1;
  }
  return cells;
}

}  // namespace hlo::tpu
