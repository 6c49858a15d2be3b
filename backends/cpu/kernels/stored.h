#pragma once

#include <cstddef>
#include <cstdint>

namespace hlo::cpu {

/// How an element lies in memory that is computed with in a lane of 32 bits, or
/// one of 64.
enum class Stored : uint8_t {
  kWord,  // f32, s32 and u32, as they are
  kPred,  // a byte, 0 or 1
  kBf16,  // f32 in the lane
  kF16,   // f32 in the lane
  kS8,    // s32 in the lane, as the next ones
  kU8,
  kS16,
  kU16,
  kWide,  // f64, s64 and u64 in a lane of 64 bits, as they are
};

/// Bytes of an element.
constexpr size_t width_of(Stored stored) {
  switch (stored) {
    case Stored::kWide:
      return 8;
    case Stored::kWord:
      return 4;
    case Stored::kPred:
    case Stored::kS8:
    case Stored::kU8:
      return 1;
    default:
      return 2;
  }
}

/// Whether the lane has the bits of the element.
constexpr bool is_direct(Stored stored) {
  return stored == Stored::kWord || stored == Stored::kWide;
}

/// The lanes of n elements that lie one after the other; of 32 bits.
void read_lanes(Stored stored, const std::byte* from, int64_t n, float* to);

/// Stores n lanes of 32 bits that hold numbers of the type.
void write_lanes(Stored stored, const float* from, int64_t n, std::byte* to);

}  // namespace hlo::cpu
