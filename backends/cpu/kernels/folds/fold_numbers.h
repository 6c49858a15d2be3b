#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/kernels/combined.h"

namespace hlo::cpu {

/// Dense numbers of three dimensions, of which the middle one is gone along.
struct LineSizes {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
};

/// Combines init and each line to one number, in an order that hangs on the
/// sizes alone; false of types that with_element has not. `init` is one number.
bool fold_numbers(Combine how, ElementType type, const LineSizes& sizes,
                  const std::byte* from, const std::byte* init, std::byte* to);

/// Writes at each place what init and the line's numbers up to it are combined
/// to, or from it on (`reversed`); false of types that with_element has not.
bool scan_numbers(Combine how, ElementType type, const LineSizes& sizes,
                  bool reversed, const std::byte* from, const std::byte* init,
                  std::byte* to);

/// The least or largest number of a line and its first place. A NaN is before
/// all others; of equal zeros the number is the last one.
template <typename T>
struct Extreme {
  T number{};
  int64_t place = 0;
};

Extreme<float> extreme_of(const float* line, int64_t length, bool largest);
Extreme<int32_t> extreme_of(const int32_t* line, int64_t length, bool largest);

}  // namespace hlo::cpu
