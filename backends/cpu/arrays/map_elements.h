#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <type_traits>

#include "backends/cpu/arrays/function.h"
#include "backends/cpu/threads/share_loop.h"

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

inline constexpr size_t kSomeElements = 512;

/// The array of which fill(first, values) gives so many numbers of T; some at a
/// time, which lie in L1, on the threads that share loops.
template <typename T, typename F>
Array filled(const Shape& shape, F fill) {
  constexpr auto kSome = static_cast<int64_t>(kSomeElements);
  constexpr int64_t kOfTask = 8 * kSome;
  Array result = Array::result(shape);
  const int64_t count = result.count();
  share_loop((count + kOfTask - 1) / kOfTask, [&](int64_t task) {
    const int64_t last = std::min(count, (task + 1) * kOfTask);
    std::array<T, kSomeElements> values;
    for (int64_t first = task * kOfTask; first < last; first += kSome) {
      const auto some = std::span(values).first(
          static_cast<size_t>(std::min(kSome, last - first)));
      fill(first, some);
      store_some<T>(some, result, first);
    }
  });
  return result;
}

/// The array of what `f` makes of each element, a number of From.
template <typename To, typename From, typename F>
Array filled_from(const Shape& shape, const Array& operand, F f) {
  return filled<To>(shape, [&](int64_t first, std::span<To> some) {
    std::array<From, kSomeElements> x;
    load_some(operand, first, std::span(x).first(some.size()));
    for (size_t i = 0; i < some.size(); ++i) some[i] = static_cast<To>(f(x[i]));
  });
}

/// The array of what `f` makes of pairs of elements, numbers of From.
template <typename To, typename From, typename F>
Array filled_from_pairs(const Shape& shape, Operands operands, F f) {
  return filled<To>(shape, [&](int64_t first, std::span<To> some) {
    std::array<From, kSomeElements> x;
    std::array<From, kSomeElements> y;
    load_some(*operands[0], first, std::span(x).first(some.size()));
    load_some(*operands[1], first, std::span(y).first(some.size()));
    for (size_t i = 0; i < some.size(); ++i) {
      some[i] = static_cast<To>(f(x[i], y[i]));
    }
  });
}

/// Applies `f` to each element in its host type.
template <typename F>
Array map_elements(const Instruction& instruction, const Array& operand, F f) {
  return with_host_type(operand.shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    return filled_from<T, T>(instruction.shape, operand, f);
  });
}

/// Applies `f` to pairs of elements in their host type.
template <typename F>
Array map_pairs(const Instruction& instruction, Operands operands, F f) {
  return with_host_type(operands[0]->shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    return filled_from_pairs<T, T>(instruction.shape, operands, f);
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
