#pragma once

#include <cstddef>
#include <cstdint>

namespace hlo::cpu {

/// How an element lies in memory that is computed with in a lane of 32 bits.
enum class Stored : uint8_t {
  kWord,  // f32 and s32, as they are
  kPred,  // a byte, 0 or 1
  kBf16,  // f32 in the lane
  kF16,   // f32 in the lane
};

/// Bytes of an element.
constexpr size_t width_of(Stored stored) {
  switch (stored) {
    case Stored::kWord:
      return 4;
    case Stored::kPred:
      return 1;
    default:
      return 2;
  }
}

/// The lanes of n elements that lie one after the other.
void read_lanes(Stored stored, const std::byte* from, int64_t n, float* to);

/// Stores n lanes that hold numbers of the type.
void write_lanes(Stored stored, const float* from, int64_t n, std::byte* to);

}  // namespace hlo::cpu
