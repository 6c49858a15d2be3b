#include "backends/tpu/operations/bits/bit_row.h"

#include "interpreter/model/storage.h"

namespace hlo::tpu {
namespace {

constexpr int kWord = 64;

/// The bits of an element, or of both its parts, as one number.
Bits joined(ElementType type, const ElementBits& element) {
  const int part = is_complex(type) ? bits(component_type(type)) : kWord;
  return Bits{element[0]} | Bits{element[1]} << part;
}

}  // namespace

BitRow::BitRow(const Shape& shape, int64_t slot_bits, int64_t first)
    : slot_bits_(slot_bits),
      first_(first),
      order_(order_of(shape)),
      elements_(static_cast<size_t>(order_->slots()), TileOrder::kPadding) {
  for (int64_t i = 0; i < order_->elements(); ++i) {
    const int64_t slot = order_->slot_of(order_->lane_of(i));
    elements_[static_cast<size_t>(slot)] = static_cast<int32_t>(i);
  }
}

BitRow::Place BitRow::place_of(int64_t bit) const {
  const int64_t from_first = bit - first_;
  const int64_t rest = (from_first % slot_bits_ + slot_bits_) % slot_bits_;
  return {(from_first - rest) / slot_bits_, rest};
}

int64_t BitRow::element_in(int64_t slot) const {
  return slot >= 0 && slot < std::ssize(elements_)
             ? elements_[static_cast<size_t>(slot)]
             : TileOrder::kPadding;
}

Bits slot_of_element(ElementType type, const std::byte* lane,
                     int64_t slot_bits) {
  Bits slot = joined(type, load(type, lane));
  const int width = bits(type);
  const bool is_negative =
      is_signed(type) && (slot >> (width - 1) & Bits{1}) != 0;
  if (is_negative) slot |= ~low_bits(~Bits{0}, width);
  return low_bits(slot, slot_bits);
}

void store_from_slot(ElementType type, Bits slot, std::byte* lane) {
  if (!is_complex(type)) {
    store(type, {static_cast<uint64_t>(slot), 0}, lane);
    return;
  }
  const int part = bits(component_type(type));
  store(type,
        {static_cast<uint64_t>(low_bits(slot, part)),
         static_cast<uint64_t>(low_bits(slot >> part, part))},
        lane);
}

}  // namespace hlo::tpu
