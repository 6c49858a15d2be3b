#include <cstring>
#include <utility>

#include "backends/cpu/array.h"

namespace hlo::cpu {
namespace {

/// The array as memory sees it: dimensions from major to minor, split by
/// tiles; each with the step that one logical element makes.
struct Physical {
  std::vector<int64_t> sizes;      // of the logical dimension, major to minor
  std::vector<int64_t> dimension;  // which logical dimension
};

Physical physical(const Shape& shape, const Layout& layout) {
  Physical result;
  for (size_t i = layout.minor_to_major.size(); i-- > 0;) {
    const int64_t d = layout.minor_to_major[i];
    result.dimension.push_back(d);
    result.sizes.push_back(shape.dims[static_cast<size_t>(d)]);
  }
  return result;
}

/// Splits an index (and its bounds) by one tile: the tile applies to the last
/// dimensions; `*` first merges a dimension into the next.
void split(std::vector<int64_t>& index, std::vector<int64_t>& bounds,
           const Tile& tile) {
  while (bounds.size() < tile.dims.size()) {
    bounds.insert(bounds.begin(), 1);
    index.insert(index.begin(), 0);
  }
  size_t at = bounds.size() - tile.dims.size();
  std::vector<int64_t> sizes;
  for (const int64_t size : tile.dims) {
    if (size != Tile::kCombine) {
      sizes.push_back(size);
      ++at;
      continue;
    }
    index[at + 1] += index[at] * bounds[at + 1];
    bounds[at + 1] *= bounds[at];
    index.erase(index.begin() + static_cast<std::ptrdiff_t>(at));
    bounds.erase(bounds.begin() + static_cast<std::ptrdiff_t>(at));
  }
  const size_t first = bounds.size() - sizes.size();
  for (size_t k = 0; k < sizes.size(); ++k) {
    index.push_back(index[first + k] % sizes[k]);
    bounds.push_back(sizes[k]);
    index[first + k] /= sizes[k];
    bounds[first + k] = (bounds[first + k] + sizes[k] - 1) / sizes[k];
  }
}

/// Position of an element in the buffer, and how many slots there are.
std::pair<int64_t, int64_t> place(const Physical& memory, const Layout& layout,
                                  const std::vector<int64_t>& logical) {
  std::vector<int64_t> index;
  for (const int64_t d : memory.dimension) {
    index.push_back(logical[static_cast<size_t>(d)]);
  }
  std::vector<int64_t> bounds = memory.sizes;
  for (const Tile& tile : layout.tiles) split(index, bounds, tile);
  int64_t position = 0;
  int64_t slots = 1;
  for (size_t k = 0; k < bounds.size(); ++k) {
    position = position * bounds[k] + index[k];
    slots *= bounds[k];
  }
  return {position, slots};
}

bool is_plain(const Shape& shape) {
  return !shape.layout || *shape.layout == default_layout(shape.rank());
}

void next(std::vector<int64_t>& index, const std::vector<int64_t>& dims) {
  for (size_t d = dims.size(); d-- > 0;) {
    if (++index[d] < dims[d]) return;
    index[d] = 0;
  }
}

/// Reads or writes `width` bits at slot `slot` of packed bytes.
uint8_t packed(const std::vector<std::byte>& bytes, int64_t slot, int width) {
  const int64_t bit = slot * width;
  const auto byte =
      std::to_integer<unsigned>(bytes[static_cast<size_t>(bit / 8)]);
  return static_cast<uint8_t>((byte >> (bit % 8)) & ((1U << width) - 1));
}

void set_packed(std::vector<std::byte>& bytes, int64_t slot, int width,
                uint8_t value) {
  const int64_t bit = slot * width;
  const unsigned mask = ((1U << width) - 1) << (bit % 8);
  std::byte& byte = bytes[static_cast<size_t>(bit / 8)];
  const unsigned kept = std::to_integer<unsigned>(byte) & ~mask;
  byte = static_cast<std::byte>(
      kept | ((static_cast<unsigned>(value) << (bit % 8)) & mask));
}

/// Calls visit(element position, slot) for all elements.
template <typename Visit>
void for_each_place(const Shape& shape, Visit visit) {
  const Layout layout =
      shape.layout ? *shape.layout : default_layout(shape.rank());
  const Physical memory = physical(shape, layout);
  std::vector<int64_t> index(shape.dims.size(), 0);
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    visit(i, place(memory, layout, index).first);
    next(index, shape.dims);
  }
}

int packed_width(const Shape& shape) {
  const int64_t width = shape.layout ? shape.layout->element_size_in_bits : 0;
  return width > 0 && width < 8 ? static_cast<int>(width) : 0;
}

size_t buffer_size(const Shape& shape, size_t width) {
  const Layout layout =
      shape.layout ? *shape.layout : default_layout(shape.rank());
  const std::vector<int64_t> origin(shape.dims.size(), 0);
  int64_t slots = place(physical(shape, layout), layout, origin).second;
  const int64_t unit = layout.tail_padding_alignment_in_elements;
  slots = (slots + unit - 1) / unit * unit;
  const int bits_each = packed_width(shape);
  if (bits_each > 0) return static_cast<size_t>((slots * bits_each + 7) / 8);
  return static_cast<size_t>(slots) * width;
}

}  // namespace

Array unpack(const Buffer& buffer) {
  if (!buffer.shape.is_array()) throw Unsupported("buffers of no array");
  Array array(buffer.shape);
  array.shape.layout.reset();
  const size_t width = array.width();
  if (is_plain(buffer.shape)) {
    array.bytes = buffer.bytes;
    return array;
  }
  const int narrow = packed_width(buffer.shape);
  for_each_place(buffer.shape, [&](int64_t element, int64_t slot) {
    std::byte* target =
        array.bytes.data() + static_cast<size_t>(element) * width;
    if (narrow == 0) {
      std::memcpy(target,
                  buffer.bytes.data() + static_cast<size_t>(slot) * width,
                  width);
      return;
    }
    uint8_t value = packed(buffer.bytes, slot, narrow);
    if (is_signed(buffer.shape.element_type) &&
        ((value >> (narrow - 1)) & 1) != 0) {
      value = static_cast<uint8_t>(value | (0xffU << narrow));
    }
    *target = static_cast<std::byte>(value);
  });
  return array;
}

Buffer pack(const Array& array, const Shape& shape) {
  Buffer buffer{shape, {}};
  if (is_plain(shape)) {
    buffer.bytes = array.bytes;
    return buffer;
  }
  const size_t width = array.width();
  buffer.bytes.resize(buffer_size(shape, width));
  const int narrow = packed_width(shape);
  for_each_place(shape, [&](int64_t element, int64_t slot) {
    const std::byte* source =
        array.bytes.data() + static_cast<size_t>(element) * width;
    if (narrow > 0) {
      set_packed(buffer.bytes, slot, narrow, std::to_integer<uint8_t>(*source));
    } else {
      std::memcpy(buffer.bytes.data() + static_cast<size_t>(slot) * width,
                  source, width);
    }
  });
  return buffer;
}

}  // namespace hlo::cpu
