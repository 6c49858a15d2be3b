#include "backends/tpu/program/assign_layout.h"

#include <algorithm>

namespace hlo::tpu {
namespace {

constexpr int64_t kBitsOfByte = 8;

int64_t product(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}

int64_t padded(int64_t size, int64_t tile) {
  return size > INT64_MAX - tile ? INT64_MAX : (size + tile - 1) / tile * tile;
}

/// The smallest tiles that hold the rows that lie beside each other, or the
/// largest there are.
const Tiles& tiles_for(const TilesOfWidth& tiles, const Shape& array,
                       const std::vector<int64_t>& minor_to_major) {
  if (array.rank() == 0) return tiles.scalar;
  if (array.rank() == 1) return tiles.row;
  const int64_t rows = array.dims[static_cast<size_t>(minor_to_major[1])];
  const auto found = std::find_if(
      tiles.matrices.rbegin(), tiles.matrices.rend(),
      [&](const Tiles& matrix) { return matrix[0].dims[0] >= rows; });
  return found == tiles.matrices.rend() ? tiles.matrices.front() : *found;
}

/// Row-major but for the two most minor dimensions.
std::vector<int64_t> order_with(int64_t rank, int64_t minor, int64_t second) {
  std::vector<int64_t> order = {minor, second};
  for (int64_t d = rank; d-- > 0;) {
    if (d != minor && d != second) order.push_back(d);
  }
  return order;
}

/// What a type's slots are wide where literals store it in as many bits.
int64_t natural_bits(ElementType type) {
  return storage_bytes(type) * kBitsOfByte;
}

/// The type's own tiles that begin as others do; null where there are none.
const Tiles* tiles_beginning(const TilesOfWidth& tiles, const Tiles& others) {
  if (others.empty()) return nullptr;
  for (const Tiles& matrix : tiles.matrices) {
    if (matrix.front() == others.front()) return &matrix;
  }
  return nullptr;
}

bool have_slots_of_one_width(const Generation& generation, ElementType a,
                             ElementType b) {
  return generation.tiles_of(a).bits == generation.tiles_of(b).bits;
}

}  // namespace

int64_t slots_in_tiles(const Shape& array) {
  const std::vector<int64_t>& order = array.layout->minor_to_major;
  const std::vector<int64_t>& tile = array.layout->tiles[0].dims;
  int64_t slots = 1;
  for (size_t k = 0; k < order.size(); ++k) {
    const int64_t size = array.dims[static_cast<size_t>(order[k])];
    slots = product(slots, k < 2 ? padded(size, tile[1 - k]) : size);
  }
  return slots;
}

Shape with_order(const Generation& generation, const Shape& array,
                 const std::vector<int64_t>& minor_to_major) {
  const TilesOfWidth& tiles = generation.tiles_of(array.element_type);
  Shape shape = array;
  Layout layout;
  layout.minor_to_major = minor_to_major;
  layout.tiles = tiles_for(tiles, array, minor_to_major);
  if (tiles.bits < natural_bits(array.element_type) &&
      tiles.bits < kBitsOfByte) {
    layout.element_size_in_bits = tiles.bits;
  }
  shape.layout = layout;
  return shape;
}

Shape with_assigned_layout(const Generation& generation, const Shape& array) {
  const int64_t rank = array.rank();
  Shape best =
      with_order(generation, array, default_layout(rank).minor_to_major);
  if (rank < 2) return best;
  for (int64_t minor = rank; minor-- > 0;) {
    for (int64_t second = rank; second-- > 0;) {
      if (second == minor) continue;
      const Shape other =
          with_order(generation, array, order_with(rank, minor, second));
      if (slots_in_tiles(other) < slots_in_tiles(best)) best = other;
    }
  }
  return best;
}

bool is_asked_for(const Shape& array) {
  return array.layout && *array.layout != default_layout(array.rank());
}

Shape placed(const Generation& generation, const Shape& array) {
  return is_asked_for(array) ? array : with_assigned_layout(generation, array);
}

Shape placed_like(const Generation& generation, const Shape& array,
                  const Shape& other) {
  Shape shape = with_order(generation, array, other.layout->minor_to_major);
  if (have_slots_of_one_width(generation, array.element_type,
                              other.element_type)) {
    shape.layout->tiles = other.layout->tiles;
  } else if (const Tiles* const tiles =
                 tiles_beginning(generation.tiles_of(array.element_type),
                                 other.layout->tiles)) {
    shape.layout->tiles = *tiles;
  }
  return shape;
}

}  // namespace hlo::tpu
