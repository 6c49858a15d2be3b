#include "backends/cpu/arrays/packing.h"

#include <cstring>
#include <utility>

#include "backends/cpu/arrays/array.h"
#include "interpreter/error.h"

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

void next(std::vector<int64_t>& index, const std::vector<int64_t>& dims) {
  for (size_t d = dims.size(); d-- > 0;) {
    if (++index[d] < dims[d]) return;
    index[d] = 0;
  }
}

Layout layout_of(const Shape& shape) {
  return shape.layout ? *shape.layout : default_layout(shape.rank());
}

/// Calls visit(element position, slot) for all elements.
template <typename Visit>
void for_each_place(const Shape& shape, Visit visit) {
  const Layout layout = layout_of(shape);
  const Physical memory = physical(shape, layout);
  const int64_t count = shape.element_count();
  std::vector<int64_t> index(shape.dims.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    visit(i, place(memory, layout, index).first);
    next(index, shape.dims);
  }
}

/// How the slots of a buffer lie in its bytes.
struct Slots {
  int64_t width;       // bits of a slot
  int64_t prefix = 0;  // bytes before the first one

  explicit Slots(const Shape& shape)
      : width(int64_t{8} * storage_bytes(shape.element_type)) {
    if (!shape.layout) return;
    prefix = shape.layout->dynamic_shape_metadata_prefix_bytes;
    if (shape.layout->element_size_in_bits > 0) {
      width = shape.layout->element_size_in_bits;
    }
  }

  bool packed() const { return width < 8; }

  /// The first bit of a packed slot.
  size_t bit(int64_t slot) const {
    return static_cast<size_t>(prefix * 8 + slot * width);
  }

  /// The first byte of a slot of whole bytes.
  size_t byte(int64_t slot) const {
    return static_cast<size_t>(prefix + slot * (width / 8));
  }
};

/// Whether the prefix has room for the sizes: 4 bytes for each dimension.
bool carries_sizes(const Shape& shape) {
  return shape.has_dynamic_dimensions() && shape.layout &&
         shape.layout->dynamic_shape_metadata_prefix_bytes / 4 >= shape.rank();
}

void write_sizes(const Array& array, Buffer& buffer) {
  const std::vector<int64_t>& sizes =
      array.sizes.empty() ? array.shape.dims : array.sizes;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const auto size = static_cast<uint32_t>(sizes[d]);
    for (size_t k = 0; k < 4; ++k) {
      buffer.bytes.at(4 * d + k) = static_cast<std::byte>(size >> (8 * k));
    }
  }
}

void read_sizes(const Buffer& buffer, Array& array) {
  for (size_t d = 0; d < array.shape.dims.size(); ++d) {
    int64_t size = 0;
    for (size_t k = 0; k < 4; ++k) {
      size |= std::to_integer<int64_t>(buffer.bytes.at(4 * d + k)) << (8 * k);
    }
    require_evaluable(size <= array.shape.dims[d], "literal.prefix",
                      {"the prefix of a buffer has the size ", size,
                       " where the bound is ", array.shape.dims[d]},
                      "it must be within the bound");
    array.sizes.push_back(size);
  }
  if (array.sizes == array.shape.dims) array.sizes.clear();
}

/// A packed slot may lie in two bytes.
unsigned read_bits(const Bytes& bytes, size_t from, int64_t width) {
  unsigned value = 0;
  for (int64_t k = 0; k < width; ++k, ++from) {
    const auto byte = std::to_integer<unsigned>(bytes[from / 8]);
    value |= ((byte >> (from % 8)) & 1U) << k;
  }
  return value;
}

void write_bits(Bytes& bytes, size_t from, int64_t width, unsigned value) {
  for (int64_t k = 0; k < width; ++k, ++from) {
    if (((value >> k) & 1U) != 0) {
      bytes[from / 8] |= static_cast<std::byte>(1U << (from % 8));
    }
  }
}

unsigned sign_extended(unsigned value, int64_t width) {
  const bool negative = ((value >> (width - 1)) & 1U) != 0;
  return negative ? value | (0xffU << width) : value;
}

}  // namespace

bool is_plain(const Shape& shape) {
  return !shape.layout || *shape.layout == default_layout(shape.rank());
}

size_t buffer_size(const Shape& shape) {
  const Layout layout = layout_of(shape);
  const std::vector<int64_t> origin(shape.dims.size(), 0);
  int64_t slots = place(physical(shape, layout), layout, origin).second;
  const int64_t unit = layout.tail_padding_alignment_in_elements;
  slots = (slots + unit - 1) / unit * unit;
  return (Slots(shape).bit(slots) + 7) / 8;
}

Array unpack(const Buffer& buffer) {
  if (!buffer.shape.is_array()) throw Unsupported("buffers of no array");
  Array array(buffer.shape);
  array.shape.layout.reset();
  if (buffer.bytes.size() != buffer_size(buffer.shape)) {
    throw std::invalid_argument("a buffer is not of the size of its shape");
  }
  if (is_plain(buffer.shape)) {
    array.bytes = buffer.bytes;
    return array;
  }
  if (carries_sizes(buffer.shape)) read_sizes(buffer, array);
  const Slots slots(buffer.shape);
  const size_t width = array.width();
  const bool negative = is_signed(buffer.shape.element_type);
  for_each_place(buffer.shape, [&](int64_t element, int64_t slot) {
    std::byte* target =
        array.bytes.data() + static_cast<size_t>(element) * width;
    if (!slots.packed()) {
      std::memcpy(target, buffer.bytes.data() + slots.byte(slot), width);
      return;
    }
    unsigned value = read_bits(buffer.bytes, slots.bit(slot), slots.width);
    if (negative) value = sign_extended(value, slots.width);
    *target = static_cast<std::byte>(value);
  });
  return array;
}

Buffer pack(Array array, const Shape& shape) {
  Buffer buffer{shape, {}};
  if (is_plain(shape)) {
    buffer.bytes = std::move(array.bytes);
    return buffer;
  }
  const Slots slots(shape);
  const size_t width = array.width();
  buffer.bytes.resize(buffer_size(shape));
  if (carries_sizes(shape)) write_sizes(array, buffer);
  const auto spare = static_cast<size_t>(slots.width / 8) - width;
  for_each_place(shape, [&](int64_t element, int64_t slot) {
    const std::byte* source =
        array.bytes.data() + static_cast<size_t>(element) * width;
    if (slots.packed()) {
      write_bits(buffer.bytes, slots.bit(slot), slots.width,
                 std::to_integer<unsigned>(*source));
      return;
    }
    std::byte* target = buffer.bytes.data() + slots.byte(slot);
    std::memcpy(target, source, width);
    const bool negative = is_signed(shape.element_type) &&
                          (source[width - 1] >> 7) != std::byte{0};
    std::memset(target + width, negative ? 0xff : 0, spare);
  });
  return buffer;
}

}  // namespace hlo::cpu
