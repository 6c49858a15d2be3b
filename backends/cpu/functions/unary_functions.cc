#include "backends/cpu/functions/unary_functions.h"

#include <cmath>
#include <complex>
#include <limits>

#include "backends/cpu/arrays/map_elements.h"
#include "backends/cpu/functions/complex/complex_numbers.h"
#include "backends/cpu/functions/complex/map_wider.h"

namespace hlo::cpu {
namespace {

Array negate(const Instruction& instruction, Operands operands) {
  return map_elements(instruction, *operands[0], [](auto x) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(x));
    } else {
      return -x;
    }
  });
}

Array complex_magnitude(const Instruction& instruction, const Array& operand) {
  if (operand.shape.element_type == ElementType::kC64) {
    std::vector<float> result;
    for (const auto z : load<std::complex<float>>(operand)) {
      result.push_back(std::abs(z));
    }
    return store<float>(instruction.shape, result);
  }
  std::vector<double> result;
  for (const auto z : load<std::complex<double>>(operand)) {
    result.push_back(std::abs(z));
  }
  return store<double>(instruction.shape, result);
}

Array absolute(const Instruction& instruction, Operands operands) {
  if (is_complex(operands[0]->shape.element_type)) {
    return complex_magnitude(instruction, *operands[0]);
  }
  return map_elements(instruction, *operands[0], [](auto x) {
    using T = decltype(x);
    if constexpr (kIsFloat<T>) {
      return std::fabs(x);
    } else if constexpr (kIsInteger<T>) {
      const auto wrapped = static_cast<uint64_t>(x);
      return static_cast<T>(static_cast<int64_t>(x) < 0 ? 0 - wrapped
                                                        : wrapped);
    } else {
      return x;
    }
  });
}

/// z / |z|, scaled: the magnitude of large numbers would overflow.
template <typename T>
std::complex<T> direction(std::complex<T> z) {
  const T larger = std::fmax(std::fabs(z.real()), std::fabs(z.imag()));
  if (larger == 0 || !std::isfinite(larger)) return z / std::abs(z);
  const int scale = -std::ilogb(larger);
  const std::complex<T> near_one(std::scalbn(z.real(), scale),
                                 std::scalbn(z.imag(), scale));
  return near_one / std::abs(near_one);
}

template <typename T>
T sign_of(T x) {
  if constexpr (kIsFloat<T>) {
    return x == 0 || std::isnan(x) ? quiet(x) : std::copysign(T{1}, x);
  } else if constexpr (kIsInteger<T>) {
    const auto number = static_cast<int64_t>(x);
    return static_cast<T>((number > 0 ? 1 : 0) - (number < 0 ? 1 : 0));
  } else {
    return x == T{} ? x : direction(x);
  }
}

Array sign(const Instruction& instruction, Operands operands) {
  return map_elements(instruction, *operands[0],
                      [](auto x) { return sign_of(x); });
}

Array logical_not(const Instruction& instruction, Operands operands) {
  const bool pred = operands[0]->shape.element_type == ElementType::kPred;
  return map_elements(instruction, *operands[0], [&](auto x) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      return static_cast<T>(pred ? static_cast<T>(x == 0) : ~x);
    } else {
      return x;
    }
  });
}

Array exponential(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::exp(x); });
}

Array logarithm(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::log(x); });
}

Array tangent(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::tanh(x); });
}

Array root(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return std::sqrt(x); });
}

template <typename T>
T over_root(T x) {
  return T{1} / std::sqrt(x);
}

/// The conjugate of the root over its square: so is the sign of a part that
/// vanishes.
template <typename T>
std::complex<T> over_root(std::complex<T> z) {
  const std::complex<T> root = std::sqrt(z);
  if (std::isinf(root.real()) || std::isinf(root.imag())) {
    return {0, std::copysign(T{0}, -root.imag())};
  }
  return std::complex<T>(1) / root;
}

Array inverse_root(const Instruction& instruction, Operands operands) {
  return map_wider(instruction, operands, [](auto x) { return over_root(x); });
}

Array logistic(const Instruction& instruction, Operands operands) {
  return map_real(instruction, operands, [](auto x) {
    using T = decltype(x);
    if constexpr (kIsFloat<T>) {
      // exp of a non-positive number cannot overflow.
      const T e = std::exp(-std::fabs(x));
      return x < 0 ? e / (T{1} + e) : T{1} / (T{1} + e);
    } else {
      return complex_logistic(x);
    }
  });
}

Array floor_of(const Instruction& instruction, Operands operands) {
  return map_float(instruction, operands, [](auto x) { return std::floor(x); });
}

Array ceil_of(const Instruction& instruction, Operands operands) {
  return map_float(instruction, operands, [](auto x) { return std::ceil(x); });
}

Array round_even(const Instruction& instruction, Operands operands) {
  return map_float(instruction, operands,
                   [](auto x) { return std::nearbyint(x); });
}

Array round_away(const Instruction& instruction, Operands operands) {
  return map_float(instruction, operands, [](auto x) { return std::round(x); });
}

}  // namespace

Functions unary_functions() {
  return {{"negate", negate},
          {"abs", absolute},
          {"sign", sign},
          {"not", logical_not},
          {"exponential", exponential},
          {"log", logarithm},
          {"tanh", tangent},
          {"sqrt", root},
          {"rsqrt", inverse_root},
          {"logistic", logistic},
          {"floor", floor_of},
          {"ceil", ceil_of},
          {"round-nearest-even", round_even},
          {"round-nearest-afz", round_away}};
}

}  // namespace hlo::cpu
