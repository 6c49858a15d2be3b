#include "interpreter/model/buffer_layout.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/model/layout.h"
#include "interpreter/model/slot_map.h"

namespace hlo {
namespace {

constexpr size_t kMaxTiles = 64;
constexpr std::string_view kTileStatement =
    "a layout can have at most 64 tiles, each of 1 to 64 sizes that are "
    "positive or *";

int64_t divide_up(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// The layout, the default one where the shape has none.
Layout layout_of(const Shape& shape) {
  return shape.layout ? *shape.layout : default_layout(shape.rank());
}

SlotMap slot_map(const Shape& shape, const Layout& layout) {
  require_evaluable(std::ranges::count(shape.dims, kUnbounded) == 0,
                    "literal.unbounded", {"the value has the shape ", shape},
                    "it can have no unbounded dimensions");
  return make_slot_map(shape.dims, layout);
}

int64_t padded_slots(const Shape& shape, const Layout& layout) {
  const int64_t alignment = layout.tail_padding_alignment_in_elements;
  const int64_t slots = slot_map(shape, layout).slots;
  return buffer_product(divide_up(slots, alignment), alignment);
}

int64_t padded_bytes(const Shape& shape, const Layout& layout) {
  const int64_t width = layout.element_size_in_bits == 0
                            ? int64_t{storage_bytes(shape.element_type)} * 8
                            : layout.element_size_in_bits;
  int64_t bytes =
      divide_up(buffer_product(padded_slots(shape, layout), width), 8);
  require(!__builtin_add_overflow(
              bytes, layout.dynamic_shape_metadata_prefix_bytes, &bytes),
          "layout.C8", {"a buffer of ", shape, " takes 2^63 bits or more"},
          "its size in bits must be below 2^63");
  return bytes;
}

bool is_permutation(const std::vector<int64_t>& order, size_t rank) {
  std::vector<int64_t> sorted = order;
  std::ranges::sort(sorted);
  for (size_t d = 0; d < sorted.size(); ++d) {
    if (sorted[d] != static_cast<int64_t>(d)) return false;
  }
  return sorted.size() == rank;
}

std::string text_of(const Tile& tile) {
  Layout layout;
  layout.tiles = {tile};
  return to_string(layout);
}

void validate_tile(const Tile& tile) {
  const auto is_size = [](int64_t size) {
    return size > 0 || size == Tile::kCombine;
  };
  require(!tile.dims.empty() && tile.dims.size() <= kMaxTiles &&
              std::ranges::all_of(tile.dims, is_size),
          "layout.C2", {"a layout has ", [&] { return text_of(tile); }},
          kTileStatement);
  require(tile.dims.back() != Tile::kCombine, "layout.C3",
          {"the last size of a tile is *"}, "it must be a number");
}

bool holds(int64_t size_in_bits, ElementType type) {
  if (size_in_bits < 8) return size_in_bits >= bits(type);
  return size_in_bits % 8 == 0 && size_in_bits <= 128 &&
         size_in_bits >= int64_t{storage_bytes(type)} * 8;
}

void validate_numbers(const Layout& layout, ElementType type) {
  require(
      layout.element_size_in_bits == 0 ||
          holds(layout.element_size_in_bits, type),
      "layout.C4",
      {"the element size is ", layout.element_size_in_bits, " bits for ", type},
      "it must hold a value of the type, in fewer than 8 bits or in at most 16 "
      "whole bytes");
  require(layout.tail_padding_alignment_in_elements >= 1, "layout.C5",
          {"the tail padding alignment is ",
           layout.tail_padding_alignment_in_elements},
          "it must be at least 1");
  if (layout.memory_space < 0 ||
      layout.dynamic_shape_metadata_prefix_bytes < 0) {
    throw std::logic_error("a layout has no negative numbers");
  }
}

void validate_dense(const Layout& layout) {
  require(layout.dim_level_types.empty() && !layout.index_primitive_type &&
              !layout.pointer_primitive_type && layout.physical_shape.empty(),
          "layout.C6",
          {"the layout ", [&] { return to_string(layout); },
           " has parts of sparse arrays"},
          "only dense layouts can be used");
}

void validate_split(const SplitConfig& split,
                    const std::vector<int64_t>& dims) {
  constexpr std::string_view kStatement =
      "a split must name a dimension and increasing indices inside it";
  require(split.dimension >= 0 &&
              split.dimension < static_cast<int64_t>(dims.size()),
          "layout.C7",
          {"dimension ", split.dimension, " of ",
           Count{std::ssize(dims), "dimension"}, " is split"},
          kStatement);
  const int64_t size = dims[static_cast<size_t>(split.dimension)];
  int64_t previous = 0;
  for (const int64_t index : split.indices) {
    require(index > previous && (size == kUnbounded || index < size),
            "layout.C7",
            {"dimension ", split.dimension, " of size ", size, " is split at ",
             split.indices},
            kStatement);
    previous = index;
  }
}

void require_array(const Shape& shape) {
  if (!shape.is_array()) throw std::logic_error("only arrays have buffers");
}

}  // namespace

void validate_layout(const Shape& shape) {
  if (!shape.layout) return;
  const Layout& layout = *shape.layout;
  require(is_permutation(layout.minor_to_major, shape.dims.size()), "layout.C1",
          {"minor_to_major is ", layout.minor_to_major, " for ",
           Count{std::ssize(shape.dims), "dimension"}},
          "it must name every dimension once");
  require(layout.tiles.size() <= kMaxTiles, "layout.C2",
          {"the layout has ", Count{std::ssize(layout.tiles), "tile"}},
          kTileStatement);
  std::ranges::for_each(layout.tiles, validate_tile);
  if (!shape.is_array()) return;
  validate_numbers(layout, shape.element_type);
  validate_dense(layout);
  for (const SplitConfig& split : layout.split_configs) {
    validate_split(split, shape.dims);
  }
  const bool bounded = std::ranges::count(shape.dims, kUnbounded) == 0;
  if (bounded && !layout.tiles.empty()) {
    static_cast<void>(padded_bytes(shape, layout));
  }
}

int64_t linear_index(const Shape& shape, std::span<const int64_t> index) {
  require_array(shape);
  validate_layout(shape);
  if (!shape.contains(index)) throw std::logic_error("index out of bounds");
  std::vector<int64_t> registers;
  return slot_map(shape, layout_of(shape)).slot(index, registers);
}

int64_t buffer_elements(const Shape& shape) {
  require_array(shape);
  validate_layout(shape);
  return padded_slots(shape, layout_of(shape));
}

int64_t buffer_bytes(const Shape& shape) {
  require_array(shape);
  validate_layout(shape);
  return padded_bytes(shape, layout_of(shape));
}

}  // namespace hlo
