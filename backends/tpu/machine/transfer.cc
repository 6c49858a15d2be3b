#include "backends/tpu/machine/transfer.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace hlo::tpu {
namespace {

constexpr int64_t kByte = 8;

/// The bits from place `bit` on, at most 128, lowest first.
ElementBits read_bits(const std::byte* bytes, int64_t bit, int64_t count) {
  ElementBits value{};
  for (int64_t k = 0; k < count; ++k) {
    const int64_t at = bit + k;
    const auto byte = static_cast<uint64_t>(bytes[at / kByte]);
    constexpr int64_t kHalf = 64;
    value[static_cast<size_t>(k / kHalf)] |= ((byte >> (at % kByte)) & 1U)
                                             << (k % kHalf);
  }
  return value;
}

void write_bits(std::byte* bytes, int64_t bit, int64_t count, uint64_t value) {
  for (int64_t k = 0; k < count; ++k) {
    const int64_t at = bit + k;
    const auto one = static_cast<std::byte>(1U << (at % kByte));
    if (((value >> k) & 1U) != 0) {
      bytes[at / kByte] |= one;
    } else {
      bytes[at / kByte] &= ~one;
    }
  }
}

/// How the elements of an array lie in slots.
class Slots {
 public:
  explicit Slots(const TiledArray& array)
      : type_(array.shape.element_type),
        bits_(array.slot_bits()),
        width_(storage_bytes(type_)),
        bytes_(array.memory->bytes().data() + array.prefix_bytes()) {}

  /// Whether slots are what a literal stores.
  bool are_plain() const {
    return bits_ == width_ * kByte && bits(type_) >= kByte;
  }

  std::byte* plain(int64_t slot) const { return bytes_ + slot * width_; }

  void load(int64_t slot, std::byte* into) const {
    if (are_plain()) {
      std::memcpy(into, plain(slot), static_cast<size_t>(width_));
    } else if (bits(type_) >= kByte) {  // the low bytes of a wide slot
      std::memcpy(into, bytes_ + slot * bits_ / kByte,
                  static_cast<size_t>(width_));
    } else {  // the low bits of any slot
      hlo::store(type_, read_bits(bytes_, slot * bits_, bits(type_)), into);
    }
  }

  void store(int64_t slot, const std::byte* from) const {
    if (are_plain()) {
      std::memcpy(plain(slot), from, static_cast<size_t>(width_));
    } else if (bits_ % kByte == 0) {
      store_wide(slot, from);
    } else {
      write_bits(bytes_, slot * bits_, bits_, static_cast<uint64_t>(from[0]));
    }
  }

 private:
  void store_wide(int64_t slot, const std::byte* from) const {
    std::byte* target = bytes_ + slot * bits_ / kByte;
    const bool is_negative =
        is_signed(type_) && (from[width_ - 1] >> (kByte - 1)) != std::byte{0};
    std::memcpy(target, from, static_cast<size_t>(width_));
    std::memset(target + width_, is_negative ? 0xff : 0,
                static_cast<size_t>(bits_ / kByte - width_));
  }

  ElementType type_;
  int64_t bits_;
  int64_t width_;
  std::byte* bytes_;
};

int64_t lanes_of(const TiledArray& array, int64_t r) {
  return std::min(kLanes, array.order->lanes() - r * kLanes);
}

void count(Machine& machine, const TiledArray& array, int64_t lanes,
           int64_t elements) {
  machine.counters.bytes_moved += lanes * array.slot_bits() / kByte;
  machine.counters.padding_moved +=
      (lanes - elements) * array.slot_bits() / kByte;
}

/// Stores runs of lanes that the mask has.
void store_under_mask(Machine& machine, const Register& from,
                      const TiledArray& array, int64_t r,
                      const std::bitset<kLanes>& mask) {
  const Slots slots(array);
  const TileOrder& order = *array.order;
  const bool is_plain = order.is_direct() && slots.are_plain();
  const int64_t first = r * kLanes;
  for (int64_t k = 0; k < kLanes; ++k) {
    if (!mask[static_cast<size_t>(k)]) continue;
    if (!is_plain) {
      slots.store(order.slot_of(first + k), from.lane(k));
      continue;
    }
    const int64_t begin = k;
    while (k + 1 < kLanes && mask[static_cast<size_t>(k) + 1]) ++k;
    std::memcpy(slots.plain(first + begin), from.lane(begin),
                static_cast<size_t>((k + 1 - begin) * from.width()));
  }
  machine.counters.stores += 1;
  count(machine, array, lanes_of(array, r), static_cast<int64_t>(mask.count()));
}

}  // namespace

Register load_register(Machine& machine, const TiledArray& array, int64_t r) {
  Register into(machine.scratch, array.shape.element_type);
  const Slots slots(array);
  const TileOrder& order = *array.order;
  const int64_t first = r * kLanes;
  const int64_t lanes = lanes_of(array, r);
  if (order.is_direct() && slots.are_plain()) {
    std::memcpy(into.bytes(), slots.plain(first),
                static_cast<size_t>(lanes * into.width()));
  } else {
    for (int64_t k = 0; k < lanes; ++k) {
      slots.load(order.slot_of(first + k), into.lane(k));
    }
  }
  into.valid() = order.mask(r);
  machine.counters.loads += 1;
  count(machine, array, lanes, static_cast<int64_t>(into.valid().count()));
  return into;
}

void store_register(Machine& machine, const Register& from,
                    const TiledArray& array, int64_t r) {
  if (!is_complete(from, array, r)) {
    throw std::logic_error("padding was read into a result");
  }
  store_under_mask(machine, from, array, r, array.order->mask(r));
}

void store_lanes(Machine& machine, const Register& from,
                 const TiledArray& array, int64_t r) {
  store_under_mask(machine, from, array, r,
                   from.valid() & array.order->mask(r));
}

bool is_complete(const Register& from, const TiledArray& array, int64_t r) {
  const std::bitset<kLanes>& mask = array.order->mask(r);
  return (from.valid() & mask) == mask;
}

ElementBits element_at(Machine& machine, const TiledArray& array,
                       int64_t element) {
  const ElementType type = array.shape.element_type;
  alignas(uint64_t) std::byte stored[sizeof(ElementBits)];
  const int64_t lane = array.order->lane_of(element);
  Slots(array).load(array.order->slot_of(lane), stored);
  machine.counters.elements_one_by_one += 1;
  return hlo::load(type, stored);
}

Literal read_elements(Machine& machine, const TiledArray& array) {
  Literal literal = Literal::uninitialized(array.shape);
  const Slots slots(array);
  const int64_t width = storage_bytes(array.shape.element_type);
  std::byte* into = literal.mutable_bytes().data();
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    slots.load(array.order->slot_of(array.order->lane_of(i)), into + i * width);
  }
  machine.counters.elements_one_by_one += literal.element_count();
  if (!array.sizes.empty()) literal.set_dynamic_sizes(array.sizes);
  return literal;
}

void write_elements(Machine& machine, const Literal& from,
                    const TiledArray& array) {
  const Slots slots(array);
  const int64_t width = storage_bytes(array.shape.element_type);
  const std::byte* source = from.bytes().data();
  for (int64_t i = 0; i < from.element_count(); ++i) {
    slots.store(array.order->slot_of(array.order->lane_of(i)),
                source + i * width);
  }
  machine.counters.elements_one_by_one += from.element_count();
}

}  // namespace hlo::tpu
