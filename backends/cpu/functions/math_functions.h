#pragma once

#include <cmath>
#include <type_traits>

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The host's function of double is off by up to 4 units in the last place.
template <typename T>
T real_cube_root(T x) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, float, long double>;
  return static_cast<T>(std::cbrt(static_cast<Wide>(x)));
}

/// The functions of operations that are mathematical functions.
Functions math_functions();

}  // namespace hlo::cpu
