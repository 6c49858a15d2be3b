#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "backends/gpu/testing/device_runs.h"

// Operands of programs on long lines, and what is expected of them.

namespace hlo::gpu {

inline constexpr int64_t kCount = 2000;

/// k 7919 modulo a number, for k = 0, 1, ...: the operand of most programs.
inline std::vector<int64_t> spread_numbers(int64_t count, int64_t modulus) {
  std::vector<int64_t> numbers;
  for (int64_t k = 0; k < count; ++k) numbers.push_back(k * 7919 % modulus);
  return numbers;
}

/// Instructions whose k is 0, 1, ... and whose x are those numbers, of s32.
inline std::string spread_text(int64_t count, int64_t modulus) {
  return fmt::format(R"(
    k = s32[{0}] iota(), iota_dimension=0
    f = s32[] constant(7919)
    m = s32[] constant({1})
    fs = s32[{0}] broadcast(f), dimensions={{}}
    ms = s32[{0}] broadcast(m), dimensions={{}}
    p = s32[{0}] multiply(k, fs)
    x = s32[{0}] remainder(p, ms)
  )",
                     count, modulus);
}

/// The numbers as the bits of s32.
inline Bits as_bits(const std::vector<int64_t>& numbers) {
  Bits bits;
  for (const int64_t x : numbers) {
    bits.push_back(static_cast<uint32_t>(static_cast<int32_t>(x)));
  }
  return bits;
}

}  // namespace hlo::gpu
