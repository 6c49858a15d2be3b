#include "backends/tpu/memory/tile_order.h"

#include <algorithm>

#include "interpreter/model/index_loops.h"

namespace hlo::tpu {
namespace {

using Sizes = std::vector<int64_t>;

int64_t ceil_divided(int64_t size, int64_t by) {
  return size / by + (size % by != 0 ? 1 : 0);
}

/// Row-major position within sizes.
int64_t place_within(const Sizes& index, const Sizes& sizes) {
  int64_t place = 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    place = place * sizes[d] + index[d];
  }
  return place;
}

int64_t product(const Sizes& sizes) {
  int64_t product = 1;
  for (const int64_t size : sizes) product *= size;
  return product;
}

/// What one tile does to sizes and to indices within them.
class Tiling {
 public:
  Tiling(const Sizes& sizes, const Tile& tile) {
    const size_t rank = std::max(sizes.size(), tile.dims.size());
    leading_ = rank - sizes.size();
    Sizes filled(leading_, 1);
    filled.insert(filled.end(), sizes.begin(), sizes.end());
    const size_t first = rank - tile.dims.size();
    for (size_t d = 0; d < rank; ++d)
      add(filled[d], d < first ? 0 : tile.dims[d - first]);
    merged_sizes_.resize(groups_.size());
    for (size_t g = 0; g < groups_.size(); ++g) {
      merged_sizes_[g] = product(groups_[g].sizes);
      const int64_t within = groups_[g].within;
      sizes_.push_back(within == 0 ? merged_sizes_[g]
                                   : ceil_divided(merged_sizes_[g], within));
    }
    for (const Group& group : groups_) {
      if (group.within != 0) sizes_.push_back(group.within);
    }
  }

  const Sizes& sizes() const { return sizes_; }

  Sizes index(const Sizes& before) const {
    Sizes outer;
    Sizes inner;
    size_t d = 0;
    for (const Group& group : groups_) {
      int64_t merged = 0;
      for (const int64_t size : group.sizes) {
        const int64_t i = d < leading_ ? 0 : before[d - leading_];
        merged = merged * size + i;
        ++d;
      }
      outer.push_back(group.within == 0 ? merged : merged / group.within);
      if (group.within != 0) inner.push_back(merged % group.within);
    }
    outer.insert(outer.end(), inner.begin(), inner.end());
    return outer;
  }

 private:
  /// Dimensions that `*` merges, and the size of the tile along them; 0 where
  /// the tile does not reach them.
  struct Group {
    Sizes sizes;
    int64_t within = 0;
  };

  void add(int64_t size, int64_t tile_size) {
    if (!is_open_) groups_.emplace_back();
    groups_.back().sizes.push_back(size);
    is_open_ = tile_size == Tile::kCombine;
    if (!is_open_) groups_.back().within = tile_size;
  }

  size_t leading_ = 0;
  bool is_open_ = false;
  std::vector<Group> groups_;
  Sizes merged_sizes_;
  Sizes sizes_;
};

Sizes physical(const Sizes& of, const Sizes& minor_to_major) {
  Sizes result;
  for (auto d = minor_to_major.rbegin(); d != minor_to_major.rend(); ++d) {
    result.push_back(of[static_cast<size_t>(*d)]);
  }
  return result;
}

}  // namespace

TileOrder::TileOrder(const std::vector<int64_t>& dims, const Layout& layout) {
  const Sizes sizes = physical(dims, layout.minor_to_major);
  const Tile none;
  const bool is_tiled = !layout.tiles.empty();
  const Tiling first(sizes, is_tiled ? layout.tiles[0] : none);
  element_of_lane_.assign(static_cast<size_t>(product(first.sizes())),
                          kPadding);
  lane_of_element_.reserve(static_cast<size_t>(product(dims)));
  for_each_index(dims, [&](const Sizes& index) {
    const Sizes place = first.index(physical(index, layout.minor_to_major));
    const int64_t lane = place_within(place, first.sizes());
    element_of_lane_[static_cast<size_t>(lane)] = elements();
    lane_of_element_.push_back(lane);
  });
  slots_ = lanes();
  if (layout.tiles.size() > 1) {
    std::vector<Tiling> further;
    Sizes reached = first.sizes();
    for (size_t k = 1; k < layout.tiles.size(); ++k) {
      further.emplace_back(reached, layout.tiles[k]);
      reached = further.back().sizes();
    }
    slots_ = product(reached);
    for_each_index(first.sizes(), [&](Sizes index) {
      for (const Tiling& tiling : further) index = tiling.index(index);
      slot_of_lane_.push_back(place_within(index, reached));
    });
  }
  slots_ = ceil_divided(slots_, layout.tail_padding_alignment_in_elements) *
           layout.tail_padding_alignment_in_elements;
}

std::shared_ptr<const TileOrder> order_of(const Shape& shape) {
  return std::make_shared<const TileOrder>(
      shape.dims, shape.layout ? *shape.layout : default_layout(shape.rank()));
}

}  // namespace hlo::tpu
