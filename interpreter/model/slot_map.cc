#include "interpreter/model/slot_map.h"

#include <algorithm>
#include <numeric>

#include "interpreter/error.h"
#include "interpreter/model/index_loops.h"

namespace hlo {
namespace {

/// Follows the dimensions, most major first, through the tiles of a layout.
class SlotMapBuilder {
 public:
  SlotMapBuilder(std::span<const int64_t> dims, const Layout& layout)
      : bounds_(dims.begin(), dims.end()), families_(dims.size()) {
    for (size_t k = layout.minor_to_major.size(); k-- > 0;) {
      order_.push_back(static_cast<size_t>(layout.minor_to_major[k]));
    }
    std::iota(families_.begin(), families_.end(), size_t{0});
    for (const Tile& tile : layout.tiles) apply(tile);
    map_.strides.assign(bounds_.size(), 0);
    families_.resize(dims.size());
    map_.families = families_;
    if (std::ranges::count(dims, 0) > 0) {
      map_.slots = 0;
      return;
    }
    for (size_t k = order_.size(); k-- > 0;) {
      map_.strides[order_[k]] = map_.slots;
      map_.slots = buffer_product(map_.slots, bounds_[order_[k]]);
    }
  }

  const SlotMap& map() const { return map_; }

 private:
  size_t add_register(int64_t bound, size_t family) {
    bounds_.push_back(bound);
    families_.push_back(family);
    return bounds_.size() - 1;
  }

  void merge(size_t from, size_t into) {
    map_.steps.push_back({false, from, into, bounds_[into]});
    bounds_[into] = buffer_product(bounds_[into], bounds_[from]);
    const size_t family = families_[from];
    const size_t joined = families_[into];
    std::ranges::replace(families_, family, joined);
  }

  /// Leaves the number of tiles in `r`; the register of the place within.
  size_t split(size_t r, int64_t size) {
    const size_t within = add_register(size, families_[r]);
    map_.steps.push_back({true, r, within, size});
    bounds_[r] = bounds_[r] / size + (bounds_[r] % size != 0 ? 1 : 0);
    return within;
  }

  /// Lays the tile over the most minor dimensions: those at `*` are merged
  /// into their neighbours, each other one becomes a number of tiles, which
  /// keeps its place, and a place within the tile, which goes to the end.
  void apply(const Tile& tile) {
    for (size_t rank = order_.size(); rank < tile.dims.size(); ++rank) {
      order_.insert(order_.begin(), add_register(1, families_.size()));
    }
    const size_t first = order_.size() - tile.dims.size();
    const std::vector<size_t> tiled(
        order_.begin() + static_cast<std::ptrdiff_t>(first), order_.end());
    order_.resize(first);
    std::vector<size_t> within;
    for (size_t k = 0; k < tiled.size(); ++k) {
      if (tile.dims[k] == Tile::kCombine) {
        merge(tiled[k], tiled[k + 1]);
      } else {
        order_.push_back(tiled[k]);
        within.push_back(split(tiled[k], tile.dims[k]));
      }
    }
    order_.insert(order_.end(), within.begin(), within.end());
  }

  std::vector<size_t> order_;     // registers, most major first
  std::vector<int64_t> bounds_;   // per register
  std::vector<size_t> families_;  // per register
  SlotMap map_;
};

}  // namespace

int64_t buffer_product(int64_t a, int64_t b) {
  int64_t result = 0;
  require(!__builtin_mul_overflow(a, b, &result), "layout.C8",
          {"a buffer takes 2^63 bits or more"},
          "its size in bits must be below 2^63");
  return result;
}

int64_t SlotMap::slot(std::span<const int64_t> index,
                      std::vector<int64_t>& registers) const {
  registers.assign(strides.size(), 0);
  std::ranges::copy(index, registers.begin());
  for (const Step& step : steps) {
    if (step.is_split) {
      registers[step.into] = registers[step.from] % step.factor;
      registers[step.from] /= step.factor;
    } else {
      registers[step.into] += registers[step.from] * step.factor;
    }
  }
  return std::inner_product(registers.begin(), registers.end(), strides.begin(),
                            int64_t{0});
}

SlotMap make_slot_map(std::span<const int64_t> dims, const Layout& layout) {
  return SlotMapBuilder(dims, layout).map();
}

std::vector<SlotTable> make_slot_tables(const SlotMap& map,
                                        std::span<const int64_t> dims) {
  std::vector<SlotTable> tables;
  std::vector<int64_t> registers;
  for (size_t family = 0; family < map.strides.size(); ++family) {
    SlotTable table;
    Index sizes(dims.size(), 1);  // of the table's dimensions
    for (size_t d = 0; d < dims.size(); ++d) {
      if (map.families[d] != family) continue;
      table.dimensions.push_back(d);
      sizes[d] = dims[d];
    }
    if (table.dimensions.empty()) continue;
    for_each_index(sizes, [&](const Index& index) {
      table.slots.push_back(map.slot(index, registers));
    });
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace hlo
