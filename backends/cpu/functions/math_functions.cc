#include "backends/cpu/functions/math_functions.h"

#include <cmath>
#include <complex>
#include <limits>

#include "backends/cpu/arrays/map_elements.h"
#include "backends/cpu/functions/complex/complex_numbers.h"
#include "backends/cpu/functions/complex/map_wider.h"

namespace hlo::cpu {
namespace {

Array sine(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::sin(x); });
}

Array cosine(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::cos(x); });
}

Array tangent(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::tan(x); });
}

Array hyperbolic_sine(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::sinh(x); });
}

Array hyperbolic_cosine(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::cosh(x); });
}

Array arc_sine(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::asin(x); });
}

Array arc_cosine(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::acos(x); });
}

Array area_sine(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::asinh(x); });
}

Array area_cosine(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::acosh(x); });
}

Array area_tangent(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::atanh(x); });
}

Array cube_root(const Instruction& instruction, Operands operands) {
  return map_float(instruction, operands,
                   [](auto x) { return real_cube_root(x); });
}

Array error_function(const Instruction& instruction, Operands operands) {
  return map_float(instruction, operands, [](auto x) { return std::erf(x); });
}

Array exponential_minus_one(const Instruction& instruction, Operands operands) {
  return map_real(instruction, operands, [](auto x) {
    if constexpr (kIsFloat<decltype(x)>) {
      return std::expm1(x);
    } else {
      return exp_minus_one(x);
    }
  });
}

Array log_plus_one(const Instruction& instruction, Operands operands) {
  return map_real(instruction, operands, [](auto x) {
    if constexpr (kIsFloat<decltype(x)>) {
      return std::log1p(x);
    } else {
      return log_of_one_plus(x);
    }
  });
}

Array arc_tangent_of_two(const Instruction& instruction, Operands operands) {
  return map_pairs(instruction, operands, [](auto y, auto x) {
    if constexpr (kIsFloat<decltype(x)>) {
      return std::atan2(y, x);
    } else if constexpr (kIsInteger<decltype(x)>) {
      throw Unsupported("angles of integers");
      return x;
    } else {
      return complex_angle(y, x);
    }
  });
}

/// By squaring; of negative exponents the power truncated towards zero.
template <typename T>
T integer_power(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      if (base == 1) return 1;
      if (base != -1) return 0;
      return exponent % 2 == 0 ? 1 : -1;
    }
  }
  auto square = static_cast<uint64_t>(base);
  uint64_t result = 1;
  for (auto rest = static_cast<uint64_t>(exponent); rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) result *= square;
    square *= square;
  }
  return static_cast<T>(result);
}

/// 1 also for signaling NaNs, which the host's function passes on. In a format
/// without a zero what is too small is its least number.
template <typename T>
T float_power(T x, T y, bool has_zero) {
  if (y == 0 || x == 1) return 1;
  const T result = std::pow(x, y);
  const bool vanished = result == 0 && x != 0 && !has_zero;
  return vanished ? std::numeric_limits<T>::denorm_min() : result;
}

Array power(const Instruction& instruction, Operands operands) {
  const bool has_zero =
      instruction.shape.element_type != ElementType::kF8E8M0FNU;
  return map_pairs(instruction, operands, [&](auto x, auto y) {
    if constexpr (kIsFloat<decltype(x)>) {
      return float_power(x, y, has_zero);
    } else if constexpr (kIsInteger<decltype(x)>) {
      return integer_power(x, y);
    } else {
      return complex_power(x, y);
    }
  });
}

}  // namespace

Functions math_functions() {
  return {{"sine", sine},
          {"cosine", cosine},
          {"tan", tangent},
          {"sinh", hyperbolic_sine},
          {"cosh", hyperbolic_cosine},
          {"asin", arc_sine},
          {"acos", arc_cosine},
          {"asinh", area_sine},
          {"acosh", area_cosine},
          {"atanh", area_tangent},
          {"cbrt", cube_root},
          {"erf", error_function},
          {"exponential-minus-one", exponential_minus_one},
          {"log-plus-one", log_plus_one},
          {"atan2", arc_tangent_of_two},
          {"power", power}};
}

}  // namespace hlo::cpu
