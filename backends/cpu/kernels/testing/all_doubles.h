#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace hlo::cpu {

using Doubles = std::vector<double>;

constexpr double kWideInf = std::numeric_limits<double>::infinity();
constexpr double kWideNan = std::numeric_limits<double>::quiet_NaN();

/// Bit patterns over all exponents, of both signs, ends of integers, and
/// numbers beside each.
inline Doubles all_doubles() {
  Doubles numbers = {0.0, -0.0, kWideInf, -kWideInf, kWideNan};
  for (const double end : {0x1p31, 0x1p32, 0x1p52, 0x1p53, 0x1p63, 0x1p64, 1.0,
                           0.5, 1.5, 2.5, 3.0, 0x1p-149, 0x1.fffffep127}) {
    for (const double number : {end, -end, 1 - end, end - 0.5, 0.5 - end}) {
      numbers.insert(numbers.end(), {number, std::nextafter(number, kWideInf),
                                     std::nextafter(number, -kWideInf)});
    }
  }
  std::mt19937_64 engine(1);
  for (int i = 0; i < 30000; ++i) {
    numbers.push_back(std::bit_cast<double>(engine()));
  }
  std::uniform_real_distribution<double> middle(-750, 750);
  for (int i = 0; i < 10000; ++i) numbers.push_back(middle(engine));
  for (int i = 0; i < 10000; ++i) {
    // Those of f32 with a few bits more, beside its subnormal numbers too.
    const auto number = static_cast<double>(
        std::bit_cast<float>(static_cast<uint32_t>(engine())));
    numbers.push_back(std::bit_cast<double>(std::bit_cast<uint64_t>(number) +
                                            (engine() & 7U) * 0x0800'0001));
  }
  return numbers;
}

}  // namespace hlo::cpu
