#include "backends/tpu/machine/slots.h"

#include <cstring>

#include "interpreter/model/storage.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kByte = 8;

/// Fewer than 8 bits from place `bit` on, lowest first.
uint32_t read_bits(const std::byte* bytes, int64_t bit, int64_t count) {
  const int64_t at = bit / kByte;
  const int64_t shift = bit % kByte;
  auto word = static_cast<uint32_t>(bytes[at]);
  if (shift + count > kByte) {
    word |= static_cast<uint32_t>(bytes[at + 1]) << kByte;
  }
  return (word >> shift) & ((1U << count) - 1);
}

void write_bits(std::byte* bytes, int64_t bit, int64_t count, uint32_t value) {
  const int64_t at = bit / kByte;
  const int64_t shift = bit % kByte;
  const uint32_t mask = ((1U << count) - 1) << shift;
  const uint32_t word = value << shift & mask;
  for (int64_t k = 0; k < 2 && (mask >> (k * kByte)) != 0; ++k) {
    const auto kept = ~static_cast<std::byte>(mask >> (k * kByte) & 0xff);
    const auto set = static_cast<std::byte>(word >> (k * kByte) & 0xff);
    bytes[at + k] = (bytes[at + k] & kept) | set;
  }
}

/// All bytes are the first one where each is the next one.
bool are_ones(const std::byte* bytes, int64_t count) {
  return count == 0 ||
         (bytes[0] == std::byte{0xff} &&
          std::memcmp(bytes, bytes + 1, static_cast<size_t>(count - 1)) == 0);
}

bool reads_swapped(const TiledArray& array, Fault fault) {
  constexpr int64_t kNibble = 4;
  return (fault == Fault::kReversedNibbles && array.slot_bits() == kNibble) ||
         (fault == Fault::kSwappedSecondTile && !array.order->is_direct());
}

}  // namespace

Slots::Slots(const TiledArray& array, Fault fault)
    : type_(array.shape.element_type),
      bits_(array.slot_bits()),
      width_(storage_bytes(type_)),
      is_plain_(bits_ == width_ * kByte && bits(type_) >= kByte),
      is_swapped_(reads_swapped(array, fault)),
      fault_(fault) {
  array.memory->stop_beyond(array.buffer_bytes());
  const int64_t prefix =
      fault == Fault::kPrefixIgnored ? 0 : array.prefix_bytes();
  bytes_ = array.memory->bytes().data() + prefix;
  written_ = array.memory->written().data() + prefix;
}

void Slots::load(int64_t slot, std::byte* into) const {
  if (is_swapped_) slot ^= 1;
  if (bits(type_) < kByte) {  // the low bits of any slot
    const uint32_t code = read_bits(bytes_, slot * bits_, bits(type_));
    hlo::store(type_, {code, 0}, into);
    if (fault_ == Fault::kUnsignedNibbles) *into = static_cast<std::byte>(code);
    return;
  }
  // The low bytes of a slot.
  const bool is_high = fault_ == Fault::kWideSlotsFromTheTop;
  const int64_t above = is_high ? bits_ / kByte - width_ : 0;
  std::memcpy(into, bytes_ + slot * bits_ / kByte + above,
              static_cast<size_t>(width_));
}

void Slots::store(int64_t slot, const std::byte* from) const {
  if (is_plain_) {
    std::memcpy(plain(slot), from, static_cast<size_t>(width_));
  } else if (bits_ % kByte == 0) {
    store_wide(slot, from);
  } else {
    write_bits(bytes_, slot * bits_, bits_, static_cast<uint32_t>(from[0]));
  }
  mark(slot, 1);
}

void Slots::store_plain(int64_t slot, int64_t count,
                        const std::byte* from) const {
  std::memcpy(plain(slot), from, static_cast<size_t>(count * width_));
  mark(slot, count);
}

void Slots::store_wide(int64_t slot, const std::byte* from) const {
  std::byte* target = bytes_ + slot * bits_ / kByte;
  const bool is_negative = is_signed(type_) &&
                           fault_ != Fault::kUnsignedWideSlots &&
                           (from[width_ - 1] >> (kByte - 1)) != std::byte{0};
  std::memcpy(target, from, static_cast<size_t>(width_));
  std::memset(target + width_, is_negative ? 0xff : 0,
              static_cast<size_t>(bits_ / kByte - width_));
}

void Slots::mark(int64_t slot, int64_t count) const {
  if (bits_ % kByte == 0) {
    std::memset(written_ + slot * bits_ / kByte, 0xff,
                static_cast<size_t>(count * bits_ / kByte));
    return;
  }
  for (int64_t k = slot; k < slot + count; ++k) {
    write_bits(written_, k * bits_, bits_, 0xff);
  }
}

bool Slots::are_written(int64_t slot, int64_t count) const {
  if (bits_ % kByte == 0) {
    return are_ones(written_ + slot * bits_ / kByte, count * bits_ / kByte);
  }
  const uint32_t all = (1U << bits_) - 1;
  for (int64_t k = slot; k < slot + count; ++k) {
    if (read_bits(written_, k * bits_, bits_) != all) return false;
  }
  return true;
}

}  // namespace hlo::tpu
