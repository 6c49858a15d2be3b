#include "interpreter/model/buffer.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/model/index_loops.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/slot_map.h"
#include "interpreter/model/storage.h"

namespace hlo {
namespace {

constexpr std::byte kPoisonByte{0xa5};

/// What the two directions share: the layout's numbers, and the slots.
struct Plan {
  size_t prefix = 0;        // bytes
  size_t storage = 0;       // bytes of an element in a literal
  size_t element_bits = 0;  // of a slot
  size_t value_bits = 0;    // of the value in a sub-byte slot
  bool is_signed = false;
  bool is_dense = false;  // row-major without gaps: one copy does it
  std::vector<int64_t> dims;
  std::vector<SlotTable> tables;
};

bool is_default_order(const Layout& layout) {
  return layout.tiles.empty() &&
         layout.minor_to_major ==
             default_layout(static_cast<int64_t>(layout.minor_to_major.size()))
                 .minor_to_major;
}

Plan make_plan(const Shape& shape) {
  const Layout layout =
      shape.layout ? *shape.layout : default_layout(shape.rank());
  Plan plan;
  plan.prefix = static_cast<size_t>(layout.dynamic_shape_metadata_prefix_bytes);
  plan.storage = static_cast<size_t>(storage_bytes(shape.element_type));
  plan.element_bits = layout.element_size_in_bits == 0
                          ? plan.storage * 8
                          : static_cast<size_t>(layout.element_size_in_bits);
  plan.value_bits = static_cast<size_t>(bits(shape.element_type));
  plan.is_signed = is_signed(shape.element_type);
  plan.dims = shape.dims;
  plan.is_dense =
      is_default_order(layout) && plan.element_bits == plan.storage * 8;
  if (!plan.is_dense && shape.element_count() > 0) {
    plan.tables =
        make_slot_tables(make_slot_map(shape.dims, layout), shape.dims);
  }
  return plan;
}

/// The part of a row's slots that does not change along the row.
struct Row {
  int64_t base = 0;                // from the other tables
  const int64_t* slots = nullptr;  // of the table of the last dimension
};

Row row_at(const Plan& plan, const Index& index) {
  Row row;
  const size_t last = plan.dims.size() - 1;
  for (const SlotTable& table : plan.tables) {
    int64_t position = 0;
    for (const size_t d : table.dimensions) {
      position = position * plan.dims[d] + index[d];
    }
    if (table.dimensions.back() == last) {
      row.slots = table.slots.data() + position;
    } else {
      row.base += table.slots[static_cast<size_t>(position)];
    }
  }
  return row;
}

/// Calls move(element, slot) for each element; elements count row-major.
template <typename Move>
void for_each_slot(const Plan& plan, int64_t count, const Move& move) {
  if (count == 0) return;
  if (plan.dims.empty()) {
    move(size_t{0}, size_t{0});
    return;
  }
  Index rows(plan.dims.begin(), plan.dims.end());
  const auto width = static_cast<size_t>(std::exchange(rows.back(), 1));
  size_t first = 0;  // element of a row
  for_each_index(rows, [&](const Index& index) {
    const Row row = row_at(plan, index);
    for (size_t i = 0; i < width; ++i) {
      move(first + i, static_cast<size_t>(row.base + row.slots[i]));
    }
    first += width;
  });
}

/// Copies elements of kWidth bytes between positions a constant width apart.
template <size_t kWidth>
void store_whole(const Plan& plan, int64_t count, const std::byte* from,
                 std::byte* to) {
  for_each_slot(plan, count, [&](size_t element, size_t slot) {
    std::memcpy(to + slot * kWidth, from + element * kWidth, kWidth);
  });
}

template <size_t kWidth>
void load_whole(const Plan& plan, int64_t count, const std::byte* from,
                std::byte* to) {
  for_each_slot(plan, count, [&](size_t element, size_t slot) {
    std::memcpy(to + element * kWidth, from + slot * kWidth, kWidth);
  });
}

/// Slots of whole bytes, wider than the elements: sign- or zero-extended.
void store_wide(const Plan& plan, int64_t count, const std::byte* from,
                std::byte* to) {
  const size_t width = plan.element_bits / 8;
  for_each_slot(plan, count, [&](size_t element, size_t slot) {
    const std::byte* source = from + element * plan.storage;
    std::byte* target = to + slot * width;
    std::memcpy(target, source, plan.storage);
    const bool negative = plan.is_signed && (source[plan.storage - 1] &
                                             std::byte{0x80}) != std::byte{0};
    std::memset(target + plan.storage, negative ? 0xff : 0,
                width - plan.storage);
  });
}

void load_wide(const Plan& plan, int64_t count, const std::byte* from,
               std::byte* to) {
  const size_t width = plan.element_bits / 8;
  for_each_slot(plan, count, [&](size_t element, size_t slot) {
    std::memcpy(to + element * plan.storage, from + slot * width, plan.storage);
  });
}

/// Slots of fewer than 8 bits, low bits of a byte first; they may straddle.
void store_packed(const Plan& plan, int64_t count, const std::byte* from,
                  std::byte* to) {
  const unsigned mask = (1U << plan.element_bits) - 1;
  for_each_slot(plan, count, [&](size_t element, size_t slot) {
    const size_t bit = slot * plan.element_bits;
    const size_t shift = bit % 8;
    const unsigned value = std::to_integer<unsigned>(from[element]) & mask;
    std::byte* target = to + bit / 8;
    target[0] = (target[0] & ~std::byte(mask << shift)) |
                std::byte((value << shift) & 0xffU);
    if (shift + plan.element_bits <= 8) return;
    target[1] = (target[1] & ~std::byte(mask >> (8 - shift))) |
                std::byte(value >> (8 - shift));
  });
}

void load_packed(const Plan& plan, int64_t count, const std::byte* from,
                 std::byte* to) {
  for_each_slot(plan, count, [&](size_t element, size_t slot) {
    const size_t bit = slot * plan.element_bits;
    const size_t shift = bit % 8;
    unsigned value = std::to_integer<unsigned>(from[bit / 8]) >> shift;
    if (shift + plan.element_bits > 8) {
      value |= std::to_integer<unsigned>(from[bit / 8 + 1]) << (8 - shift);
    }
    to[element] = std::byte(value & 0xffU);
  });
}

/// The unused high bits of sub-byte elements as a literal has them, whatever
/// the buffer held there.
void normalize(const Plan& plan, std::span<std::byte> elements) {
  if (plan.value_bits >= 8) return;
  const unsigned mask = (1U << plan.value_bits) - 1;
  const unsigned sign = plan.is_signed ? 1U << (plan.value_bits - 1) : 0;
  for (std::byte& element : elements) {
    const unsigned value = std::to_integer<unsigned>(element) & mask;
    element = std::byte(((value ^ sign) - sign) & 0xffU);
  }
}

void store_elements(const Plan& plan, const Literal& literal, std::byte* to) {
  const std::byte* from = literal.bytes().data();
  const int64_t count = literal.element_count();
  if (plan.is_dense) {
    if (count > 0) std::memcpy(to, from, literal.bytes().size());
    return;
  }
  if (plan.element_bits < 8) return store_packed(plan, count, from, to);
  if (plan.element_bits > plan.storage * 8) {
    return store_wide(plan, count, from, to);
  }
  with_storage(static_cast<int>(plan.storage), [&](auto element) {
    store_whole<sizeof(element)>(plan, count, from, to);
  });
}

void load_elements(const Plan& plan, const std::byte* from, Literal& literal) {
  const int64_t count = literal.element_count();
  std::byte* to = literal.mutable_bytes().data();
  if (plan.is_dense) {
    if (count > 0) std::memcpy(to, from, literal.bytes().size());
    return;
  }
  if (plan.element_bits < 8) return load_packed(plan, count, from, to);
  if (plan.element_bits > plan.storage * 8) {
    return load_wide(plan, count, from, to);
  }
  with_storage(static_cast<int>(plan.storage), [&](auto element) {
    load_whole<sizeof(element)>(plan, count, from, to);
  });
}

/// So many bytes of that value. Those of a large array begin with a line of the
/// cache, as vectors are read best.
Bytes filled(size_t size, std::byte value) {
  constexpr size_t kLarge = 4096;
  constexpr std::align_val_t kBoundary{64};
  if (size < kLarge) return {size, value};
  Bytes bytes = Bytes::lent(
      static_cast<std::byte*>(operator new[](size, kBoundary)), size,
      [](std::byte* memory, size_t) { operator delete[](memory, kBoundary); });
  std::memset(bytes.data(), std::to_integer<int>(value), size);
  return bytes;
}

void store_sizes(const Literal& literal, std::byte* prefix) {
  const std::vector<int64_t>& sizes = literal.dynamic_sizes().empty()
                                          ? literal.shape().dims
                                          : literal.dynamic_sizes();
  for (const int64_t size : sizes) {
    for (int k = 0; k < 4; ++k) {
      *prefix++ = static_cast<std::byte>((size >> (8 * k)) & 0xff);
    }
  }
}

std::vector<int64_t> load_sizes(const Shape& shape, const std::byte* prefix) {
  std::vector<int64_t> sizes;
  for (const int64_t bound : shape.dims) {
    int64_t size = 0;
    for (int k = 0; k < 4; ++k) {
      size |= std::to_integer<int64_t>(*prefix++) << (8 * k);
    }
    require_evaluable(size <= bound, "literal.prefix",
                      {"a buffer's prefix has the size ", size,
                       " where the bound is ", bound},
                      "it must be within the bound");
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace

bool has_room_for_sizes(const Shape& shape) {
  const int64_t bytes =
      shape.layout ? shape.layout->dynamic_shape_metadata_prefix_bytes : 0;
  return shape.has_dynamic_dimensions() && bytes / 4 >= shape.rank();
}

Buffer store(const Literal& literal, const Shape& shape, Padding padding) {
  if (!shape.is_array() ||
      !compatible(literal.shape(), shape, /*ignore_dynamic=*/true)) {
    throw std::logic_error("a literal is stored under a shape of its own");
  }
  const int64_t bytes = buffer_bytes(shape);
  require_evaluable(bytes <= Literal::kMaxBytes, "literal.buffer",
                    {"a buffer of ", shape, " takes ", Count{bytes, "byte"}},
                    "it can take at most 16 GiB");
  const Plan plan = make_plan(shape);
  const std::byte fill =
      padding == Padding::kPoison ? kPoisonByte : std::byte{};
  Buffer buffer{shape, filled(static_cast<size_t>(bytes), fill)};
  if (has_room_for_sizes(shape)) store_sizes(literal, buffer.bytes.data());
  store_elements(plan, literal, buffer.bytes.data() + plan.prefix);
  return buffer;
}

Literal load(const Buffer& buffer) {
  const Shape& shape = buffer.shape;
  require_evaluable(
      buffer_bytes(shape) == static_cast<int64_t>(buffer.bytes.size()),
      "literal.bytes",
      {"a buffer has ", Count{std::ssize(buffer.bytes), "byte"},
       " and one of shape ", shape, " takes ",
       [&] { return std::to_string(buffer_bytes(shape)); }},
      "it must have as many");
  const Plan plan = make_plan(shape);
  Literal literal = Literal::uninitialized(shape);
  load_elements(plan, buffer.bytes.data() + plan.prefix, literal);
  normalize(plan, literal.mutable_bytes());
  if (has_room_for_sizes(shape)) {
    literal.set_dynamic_sizes(load_sizes(shape, buffer.bytes.data()));
  }
  return literal;
}

}  // namespace hlo
