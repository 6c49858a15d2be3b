#include "backends/tpu/memory/tile_order.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "interpreter/error.h"
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

/// INT64_MAX where it is more.
int64_t product(const Sizes& sizes) {
  if (std::ranges::find(sizes, 0) != sizes.end()) return 0;
  int64_t product = 1;
  for (const int64_t size : sizes) {
    if (__builtin_mul_overflow(product, size, &product)) return INT64_MAX;
  }
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
  for (size_t k = minor_to_major.size(); k-- > 0;) {
    result.push_back(of[static_cast<size_t>(minor_to_major[k])]);
  }
  return result;
}

/// Whether a tile merges dimensions: then a place is no sum of what the indices
/// of the dimensions give.
bool merges(const Layout& layout) {
  return std::ranges::any_of(layout.tiles, [](const Tile& tile) {
    return std::ranges::find(tile.dims, Tile::kCombine) != tile.dims.end();
  });
}

/// The places of the indices along each dimension, the others at 0.
template <typename PlaceOf>
std::vector<Sizes> places_along(const Sizes& sizes, const PlaceOf& place_of) {
  Sizes index(sizes.size());
  std::vector<Sizes> along(sizes.size());
  for (size_t d = 0; d < sizes.size(); ++d) {
    for (; index[d] < sizes[d]; ++index[d]) {
      along[d].push_back(place_of(index));
    }
    index[d] = 0;
  }
  return along;
}

/// All sums of a number of each list, the last list the fastest.
Sizes sums_of(const std::vector<Sizes>& lists) {
  Sizes sums = {0};
  for (const Sizes& list : lists) {
    Sizes longer;
    longer.reserve(sums.size() * list.size());
    for (const int64_t sum : sums) {
      for (const int64_t number : list) longer.push_back(sum + number);
    }
    sums = std::move(longer);
  }
  return sums;
}

/// Calls take(place_of(index)) for all indices in row-major order. Where places
/// are sums, asks for those of the indices along each dimension only.
template <typename PlaceOf, typename Take>
void for_each_place(const Sizes& sizes, bool are_sums, const PlaceOf& place_of,
                    const Take& take) {
  if (!are_sums || sizes.empty() || product(sizes) == 0) {
    for_each_index(sizes, [&](const Sizes& index) { take(place_of(index)); });
    return;
  }
  std::vector<Sizes> along = places_along(sizes, place_of);
  const Sizes last = std::move(along.back());
  along.pop_back();
  for (const int64_t sum : sums_of(along)) {
    for (const int64_t place : last) take(sum + place);
  }
}

/// The tables below have numbers of 32 bits.
void require_addressable(int64_t lanes) {
  if (lanes <= INT32_MAX) return;
  throw Error(Phase::kEvaluate, "evaluate.memory",
              "an array of " + std::to_string(lanes) +
                  " places in tiles is more than the " +
                  std::to_string(INT32_MAX) + " that a machine addresses");
}

}  // namespace

TileOrder::TileOrder(const std::vector<int64_t>& dims, const Layout& layout) {
  const Sizes sizes = physical(dims, layout.minor_to_major);
  const Tile none;
  const bool is_tiled = !layout.tiles.empty();
  const bool are_sums = !merges(layout);
  const Tiling first(sizes, is_tiled ? layout.tiles[0] : none);
  slots_ = product(first.sizes());
  require_addressable(slots_);
  element_of_lane_.assign(static_cast<size_t>(slots_), kPadding);
  lane_of_element_.reserve(static_cast<size_t>(product(dims)));
  masks_.resize(static_cast<size_t>(ceil_divided(slots_, kLanes)));
  for_each_place(
      dims, are_sums,
      [&](const Sizes& index) {
        return place_within(first.index(physical(index, layout.minor_to_major)),
                            first.sizes());
      },
      [&](int64_t lane) { add_element(lane); });
  find_runs();
  if (layout.tiles.size() > 1) {
    std::vector<Tiling> further;
    Sizes reached = first.sizes();
    for (size_t k = 1; k < layout.tiles.size(); ++k) {
      further.emplace_back(reached, layout.tiles[k]);
      reached = further.back().sizes();
    }
    slots_ = product(reached);
    require_addressable(slots_);
    slot_of_lane_.reserve(element_of_lane_.size());
    for_each_place(
        first.sizes(), are_sums,
        [&](Sizes index) {
          for (const Tiling& tiling : further) index = tiling.index(index);
          return place_within(index, reached);
        },
        [&](int64_t slot) {
          slot_of_lane_.push_back(static_cast<int32_t>(slot));
        });
  }
  slots_ = ceil_divided(slots_, layout.tail_padding_alignment_in_elements) *
           layout.tail_padding_alignment_in_elements;
}

void TileOrder::add_element(int64_t lane) {
  element_of_lane_[static_cast<size_t>(lane)] =
      static_cast<int32_t>(elements());
  lane_of_element_.push_back(static_cast<int32_t>(lane));
  masks_[static_cast<size_t>(lane / kLanes)].set(
      static_cast<size_t>(lane % kLanes));
}

void TileOrder::find_runs() {
  for (int64_t lane = 0; lane < lanes(); ++lane) {
    const auto within = static_cast<int32_t>(lane % kLanes);
    if (within == 0) first_run_.push_back(runs_.size());
    if (element_of(lane) == kPadding) continue;
    const bool goes_on = runs_.size() > first_run_.back() &&
                         runs_.back().first + runs_.back().count == within;
    if (goes_on) {
      runs_.back().count += 1;
    } else {
      runs_.push_back({within, 1});
    }
  }
  first_run_.push_back(runs_.size());
}

std::shared_ptr<const TileOrder> order_of(const Shape& shape) {
  using Key = std::tuple<Sizes, Sizes, std::vector<Sizes>, int64_t>;
  static std::mutex mutex;
  static std::map<Key, std::weak_ptr<const TileOrder>> known;
  const Layout layout =
      shape.layout ? *shape.layout : default_layout(shape.rank());
  std::vector<Sizes> tiles;
  for (const Tile& tile : layout.tiles) tiles.push_back(tile.dims);
  const Key key(shape.dims, layout.minor_to_major, tiles,
                layout.tail_padding_alignment_in_elements);
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(key); found != known.end()) {
    if (auto order = found->second.lock()) return order;
  }
  constexpr size_t kMost = 1000;
  if (known.size() >= kMost) {
    std::erase_if(known, [](const auto& one) { return one.second.expired(); });
  }
  auto order = std::make_shared<const TileOrder>(shape.dims, layout);
  known.insert_or_assign(key, order);
  return order;
}

}  // namespace hlo::tpu
