#include "conformance/sweep/points/drawn_codes.h"

#include <algorithm>

namespace hlo::conformance {

uint64_t mixed(uint64_t k) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;
  constexpr uint64_t kFirst = 0xbf58476d1ce4e5b9;
  constexpr uint64_t kSecond = 0x94d049bb133111eb;
  uint64_t z = (k + 1) * kGolden;
  z = (z ^ (z >> 30U)) * kFirst;
  z = (z ^ (z >> 27U)) * kSecond;
  return z ^ (z >> 31U);
}

uint64_t beside(uint64_t code, uint64_t bits,
                const numeric::FloatFormat& format) {
  constexpr int64_t kNear = 8;
  const auto last = (int64_t{1} << format.exponent_bits) - 1;
  const auto field =
      static_cast<int64_t>(code >> static_cast<unsigned>(format.mantissa_bits) &
                           static_cast<uint64_t>(last));
  const auto step = static_cast<int64_t>(bits % (2 * kNear)) - kNear;
  const auto near =
      static_cast<uint64_t>(std::clamp(field + step, int64_t{0}, last));
  const uint64_t mask = static_cast<uint64_t>(last)
                        << static_cast<unsigned>(format.mantissa_bits);
  return (bits & ~mask & (mask | (mask - 1) | format.sign_mask())) |
         near << static_cast<unsigned>(format.mantissa_bits);
}

}  // namespace hlo::conformance
