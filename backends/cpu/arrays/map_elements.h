#pragma once

#include <cmath>
#include <type_traits>
#include <vector>

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

template <typename T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T>;
template <typename T>
inline constexpr bool kIsInteger = std::is_integral_v<T>;

template <typename T>
bool is_nan(T x) {
  if constexpr (kIsFloat<T>) {
    return std::isnan(x);
  } else if constexpr (kIsInteger<T>) {
    return false;
  } else {
    return std::isnan(x.real()) || std::isnan(x.imag());
  }
}

/// Arithmetic makes a signaling NaN quiet; moving it does not.
template <typename T>
T quiet(T x) {
  if constexpr (kIsFloat<T> || kIsInteger<T>) {
    return is_nan(x) ? x + x : x;
  } else {
    return {quiet(x.real()), quiet(x.imag())};
  }
}

/// Applies `f` to each element in its host type.
template <typename F>
Array map_elements(const Instruction& instruction, const Array& operand, F f) {
  return with_host_type(operand.shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    std::vector<T> values = load<T>(operand);
    for (T& value : values) value = static_cast<T>(f(value));
    return store<T>(instruction.shape, values);
  });
}

/// Applies `f` to pairs of elements in their host type.
template <typename F>
Array map_pairs(const Instruction& instruction, Operands operands, F f) {
  return with_host_type(operands[0]->shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    std::vector<T> left = load<T>(*operands[0]);
    const std::vector<T> right = load<T>(*operands[1]);
    for (size_t i = 0; i < left.size(); ++i) {
      left[i] = static_cast<T>(f(left[i], right[i]));
    }
    return store<T>(instruction.shape, left);
  });
}

/// A function of floats and complex numbers only; those of the host pass on a
/// signaling NaN beside another part.
template <typename F>
Array map_real(const Instruction& instruction, Operands operands, F f) {
  return map_elements(instruction, *operands[0], [&](auto x) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      throw Unsupported("that function of integers");
      return x;
    } else {
      return quiet(f(x));
    }
  });
}

/// A function of floats only; of NaN it is NaN.
template <typename F>
Array map_float(const Instruction& instruction, Operands operands, F f) {
  return map_elements(instruction, *operands[0], [&](auto x) {
    using T = decltype(x);
    if constexpr (kIsFloat<T>) {
      return std::isnan(x) ? quiet(x) : f(x);
    } else {
      throw Unsupported("that function of other types than floats");
      return x;
    }
  });
}

/// A function of integers (and pred) only.
template <typename F>
Array map_integers(const Instruction& instruction, Operands operands, F f) {
  return map_pairs(instruction, operands, [&](auto x, auto y) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      return static_cast<T>(f(x, y));
    } else {
      throw Unsupported("bits of other types than integers");
      return x;
    }
  });
}

}  // namespace hlo::cpu
