#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "backends/tpu/memory/tiled_array.h"

namespace hlo::tpu {

/// At most 128 bits.
__extension__ using Bits = unsigned __int128;

/// An array as one row of bits: slots side by side, each with an element in its
/// low bits, or with nothing.
class BitRow {
 public:
  /// The row of an array's shape and layout. A slot has `slot_bits` bits, and
  /// the first one begins at bit `first`.
  BitRow(const Shape& shape, int64_t slot_bits, int64_t first = 0);

  int64_t slot_bits() const { return slot_bits_; }

  /// The first bit of the element at a row-major position.
  int64_t bit_of(int64_t element) const {
    return first_ + order_->slot_of(order_->lane_of(element)) * slot_bits_;
  }

  /// A place in the row: a slot, which may lie before all of them or behind,
  /// and a bit of it.
  struct Place {
    int64_t slot;
    int64_t bit;
  };

  Place place_of(int64_t bit) const;

  /// The element in a slot, or TileOrder::kPadding.
  int64_t element_in(int64_t slot) const;

 private:
  int64_t slot_bits_;
  int64_t first_;
  std::shared_ptr<const TileOrder> order_;
  std::vector<int32_t> elements_;  // by slot
};

/// The element that a lane holds, as its slot of that many bits has it.
Bits slot_of_element(ElementType type, const std::byte* lane,
                     int64_t slot_bits);
/// Stores the element in a slot's low bits.
void store_from_slot(ElementType type, Bits slot, std::byte* lane);

/// The lowest `count` bits.
constexpr Bits low_bits(Bits bits, int64_t count) {
  constexpr int64_t kAll = 128;
  return count >= kAll ? bits : bits & ((Bits{1} << count) - 1);
}

}  // namespace hlo::tpu
