#include "conformance/layout/memory.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {
namespace {

const Shape& require_array(const Shape& shape) {
  require_evaluable(shape.is_array(), "layout.array", {"the shape is ", shape},
                    "only those of arrays can be drawn");
  return shape;
}

/// How many values each register of the map takes.
std::vector<int64_t> register_bounds(const SlotMap& map,
                                     const std::vector<int64_t>& dims) {
  std::vector<int64_t> bounds(map.strides.size(), 1);
  std::ranges::copy(dims, bounds.begin());
  for (const SlotMap::Step& step : map.steps) {
    int64_t& from = bounds[step.from];
    if (step.is_split) {
      bounds[step.into] = step.factor;
      from = from / step.factor + (from % step.factor != 0 ? 1 : 0);
    } else {
      bounds[step.into] = buffer_product(bounds[step.into], from);
    }
  }
  return bounds;
}

/// The registers that the slot is made of, a sum of value times stride.
std::vector<int64_t> split_slot(const SlotMap& map,
                                const std::vector<int64_t>& bounds,
                                int64_t slot) {
  std::vector<int64_t> values(bounds.size(), 0);
  for (size_t r = 0; r < values.size(); ++r) {
    if (map.strides[r] == 0 || bounds[r] == 0) continue;
    values[r] = slot / map.strides[r] % bounds[r];
  }
  return values;
}

/// Bytes' worth of slots of one tile of sizes; `*` counts as 1.
int64_t tile_size(const Tile& tile) {
  int64_t size = 1;
  for (const int64_t n : tile.dims) {
    if (n != Tile::kCombine) size = buffer_product(size, n);
  }
  return size;
}

}  // namespace

Memory::Memory(const Shape& shape)
    : shape_(require_array(shape)),
      layout_(shape.layout ? *shape.layout : default_layout(shape.rank())),
      slots_(buffer_elements(shape)),
      bytes_(buffer_bytes(shape)) {
  map_ = make_slot_map(shape.dims, layout_);
}

int64_t Memory::slot_bits() const {
  return layout_.element_size_in_bits == 0
             ? int64_t{storage_bytes(shape_.element_type)} * 8
             : layout_.element_size_in_bits;
}

int64_t Memory::tile_slots() const {
  return layout_.tiles.empty() ? 1 : tile_size(layout_.tiles.back());
}

int64_t Memory::outer_tile_slots() const {
  return layout_.tiles.empty() ? 1 : tile_size(layout_.tiles.front());
}

int64_t Memory::slot(const Index& index) const {
  require_evaluable(shape_.contains(index), "layout.at",
                    {"the index is ", index, " for the shape ", shape_},
                    "it must have a number below the size for each dimension");
  std::vector<int64_t> registers;
  return map_.slot(index, registers);
}

std::optional<Index> Memory::element(int64_t slot) const {
  require_evaluable(
      slot >= 0 && slot < slots_, "layout.offset",
      {"the offset is ", slot, " and the buffer has ", Count{slots_, "slot"}},
      "it must be the number of a slot, from 0");
  if (slot >= map_.slots) return std::nullopt;
  std::vector<int64_t> values =
      split_slot(map_, register_bounds(map_, shape_.dims), slot);
  for (size_t s = map_.steps.size(); s-- > 0;) {
    const SlotMap::Step& step = map_.steps[s];
    if (step.is_split) {
      values[step.from] = values[step.from] * step.factor + values[step.into];
    } else {
      values[step.from] = values[step.into] / step.factor;
      values[step.into] %= step.factor;
    }
  }
  Index index(values.begin(), values.begin() + std::ssize(shape_.dims));
  // A place in padding may lead to an index that lies elsewhere.
  if (!shape_.contains(index)) return std::nullopt;
  return map_.slot(index, values) == slot ? std::optional(index) : std::nullopt;
}

}  // namespace hlo::conformance
