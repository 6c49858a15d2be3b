#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace hlo::cpu {

using Numbers = std::vector<float>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

/// Normally distributed numbers, which their count alone decides.
inline Numbers random_numbers(int64_t count) {
  std::mt19937 engine(static_cast<unsigned>(count));
  std::normal_distribution<float> normal;
  Numbers numbers(static_cast<size_t>(count));
  for (float& number : numbers) number = normal(engine);
  return numbers;
}

}  // namespace hlo::cpu
