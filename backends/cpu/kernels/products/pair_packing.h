#pragma once

#include <cstdint>

namespace hlo::cpu {

/// A pair of numbers of bf16; the first one is in the high half.
constexpr uint32_t pair_of(uint16_t first, uint16_t second) {
  return uint32_t{first} << 16 | second;
}

/// 2^-40. Products of numbers from there on are multiples of 2^-94, and so are
/// their rounded sums: no sum but zero is subnormal.
inline constexpr uint16_t kLeastOfPairs = (127 - 40) << 7;

/// Whether a number of bf16 is below that, and not zero.
constexpr bool is_small(uint16_t number) {
  const auto magnitude = static_cast<uint16_t>(number & 0x7fff);
  return magnitude != 0 && magnitude < kLeastOfPairs;
}

/// Whether one of the numbers is small.
bool has_small(const uint16_t* numbers, int64_t count);

/// to[i] = the pair of numbers 2 i and 2 i + 1.
void pair_neighbours(const uint16_t* numbers, int64_t pairs, uint32_t* to);

/// to[j] = the pair of first[j] and second[j].
void pair_lines(const uint16_t* first, const uint16_t* second, int64_t count,
                uint32_t* to);

/// Whether vectors are those of AVX-512, as tests may forbid.
bool has_widest_vectors();

}  // namespace hlo::cpu
