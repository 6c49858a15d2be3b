#pragma once

#include <bit>
#include <cstdint>

namespace hlo::cpu {

/// A number of bf16 as it lies in memory.
struct Bf16 {
  uint16_t bits = 0;

  Bf16() = default;

  /// The nearest number, ties to even; NaN becomes a quiet one.
  explicit Bf16(float number) {
    const auto word = std::bit_cast<uint32_t>(number);
    const bool is_nan = number != number;
    const uint32_t near = word + 0x7fff + (word >> 16 & 1);
    bits = static_cast<uint16_t>((is_nan ? word | 0x400000 : near) >> 16);
  }

  explicit operator float() const {
    return std::bit_cast<float>(uint32_t{bits} << 16);
  }
};

/// A number of f16 as it lies in memory.
struct F16 {
  uint16_t bits = 0;

  F16() = default;

  /// The nearest number, ties to even; NaN becomes a quiet one.
  explicit F16(float number) {
    const auto word = std::bit_cast<uint32_t>(number);
    const uint32_t magnitude = word & 0x7fffffff;
    uint32_t half = 0;
    if (magnitude > 0x7f800000) {
      half = 0x7e00 | (magnitude >> 13 & 0x3ff);
    } else if (magnitude >= 0x477ff000) {  // 65520: half a step beyond the last
      half = 0x7c00;
    } else if (magnitude < 0x38800000) {
      // Below 2^-14 the last bits of a sum with 0.5 are steps of 2^-24.
      const float sum = std::bit_cast<float>(magnitude) + 0.5F;
      half = std::bit_cast<uint32_t>(sum) - std::bit_cast<uint32_t>(0.5F);
    } else {
      const uint32_t near = magnitude + 0xfff + (magnitude >> 13 & 1);
      half = (near - (uint32_t{127 - 15} << 23)) >> 13;
    }
    bits = static_cast<uint16_t>(half | (word >> 16 & 0x8000));
  }

  explicit operator float() const {
    const uint32_t magnitude = bits & 0x7fffU;
    const uint32_t sign = uint32_t{bits & 0x8000U} << 16;
    if (magnitude < 0x400) {
      const float number = static_cast<float>(magnitude) * 0x1p-24F;
      return std::bit_cast<float>(std::bit_cast<uint32_t>(number) | sign);
    }
    const uint32_t bias =
        magnitude < 0x7c00 ? uint32_t{127 - 15} << 23 : 0x7f800000;
    return std::bit_cast<float>((magnitude << 13) + bias -
                                (magnitude < 0x7c00 ? 0 : 0x7c00U << 13) +
                                sign);
  }
};

}  // namespace hlo::cpu
