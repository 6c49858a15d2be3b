#pragma once

#include "backends/cpu/arrays/map_elements.h"
#include "backends/cpu/functions/complex/complex_numbers.h"

namespace hlo::cpu {

/// A function of floats, and of complex numbers in a format with more digits,
/// rounded once more: in their own format the host's functions of complex
/// numbers may be more units away than spec/numerics.md admits.
template <typename F>
Array map_wider(const Instruction& instruction, Operands operands, F f) {
  return map_real(instruction, operands, [&](auto x) {
    using T = decltype(x);
    if constexpr (kIsFloat<T>) {
      return f(x);
    } else {
      return narrow_parts<typename T::value_type>(
          f(Wider<typename T::value_type>(x)));
    }
  });
}

}  // namespace hlo::cpu
