#pragma once

#include <cstdint>
#include <span>

namespace hlo::cpu {

/// Whether none of the numbers is infinite or NaN.
bool are_finite(const float* numbers, int64_t count);

/// As are_finite, by all threads.
bool all_finite(std::span<const float> numbers);

}  // namespace hlo::cpu
