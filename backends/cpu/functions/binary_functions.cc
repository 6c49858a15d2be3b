#include "backends/cpu/functions/binary_functions.h"

#include <cmath>
#include <complex>

#include "backends/cpu/arrays/map_elements.h"
#include "backends/cpu/functions/complex/complex_numbers.h"

namespace hlo::cpu {
namespace {

Array add(const Instruction& instruction, Operands operands) {
  return map_pairs(instruction, operands, [](auto x, auto y) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      return static_cast<T>(static_cast<uint64_t>(x) +
                            static_cast<uint64_t>(y));
    } else {
      return x + y;
    }
  });
}

Array subtract(const Instruction& instruction, Operands operands) {
  return map_pairs(instruction, operands, [](auto x, auto y) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      return static_cast<T>(static_cast<uint64_t>(x) -
                            static_cast<uint64_t>(y));
    } else {
      return x - y;
    }
  });
}

Array multiply(const Instruction& instruction, Operands operands) {
  return map_pairs(instruction, operands, [](auto x, auto y) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      return static_cast<T>(static_cast<uint64_t>(x) *
                            static_cast<uint64_t>(y));
    } else if constexpr (kIsFloat<T>) {
      return x * y;
    } else {
      return complex_product(x, y);
    }
  });
}

Array divide(const Instruction& instruction, Operands operands) {
  return map_pairs(instruction, operands, [](auto x, auto y) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      if (y == 0) return static_cast<T>(~T{0});
      if constexpr (std::is_signed_v<T>) {
        if (y == -1)
          return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(x));
      }
      return static_cast<T>(x / y);
    } else if constexpr (kIsFloat<T>) {
      return x / y;
    } else {
      return complex_quotient(x, y);
    }
  });
}

Array remainder_of(const Instruction& instruction, Operands operands) {
  return map_pairs(instruction, operands, [](auto x, auto y) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      if (y == 0) return x;
      if constexpr (std::is_signed_v<T>) {
        if (y == -1) return T{0};
      }
      return static_cast<T>(x % y);
    } else if constexpr (kIsFloat<T>) {
      return std::fmod(x, y);
    } else {
      throw Unsupported("remainders of complex numbers");
      return x;
    }
  });
}

template <typename T>
bool are_zeros(T x, T y) {
  return kIsFloat<T> && x == 0 && y == 0;
}

template <typename T>
bool is_negative(T x) {
  if constexpr (kIsFloat<T>) {
    return std::signbit(x);
  } else {
    return x < 0;
  }
}

/// The larger one where `sign` is 1, the smaller one where it is -1; NaN where
/// either is.
template <typename T>
T extreme(T x, T y, int sign) {
  if constexpr (!kIsFloat<T> && !kIsInteger<T>) {
    throw Unsupported("the order of complex numbers");
  } else {
    if (is_nan(x) || is_nan(y)) return x + y;  // quiet
    const bool first_is_larger = are_zeros(x, y) ? !is_negative(x) : x > y;
    return (sign > 0) == first_is_larger ? x : y;
  }
}

Array maximum(const Instruction& instruction, Operands operands) {
  return map_pairs(instruction, operands,
                   [](auto x, auto y) { return extreme(x, y, 1); });
}

Array minimum(const Instruction& instruction, Operands operands) {
  return map_pairs(instruction, operands,
                   [](auto x, auto y) { return extreme(x, y, -1); });
}

Array bit_and(const Instruction& instruction, Operands operands) {
  return map_integers(instruction, operands,
                      [](auto x, auto y) { return x & y; });
}

Array bit_or(const Instruction& instruction, Operands operands) {
  return map_integers(instruction, operands,
                      [](auto x, auto y) { return x | y; });
}

Array bit_xor(const Instruction& instruction, Operands operands) {
  return map_integers(instruction, operands,
                      [](auto x, auto y) { return x ^ y; });
}

Array clamp(const Instruction& instruction, Operands operands) {
  return with_host_type(operands[1]->shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    const std::vector<T> low = load<T>(*operands[0]);
    std::vector<T> values = load<T>(*operands[1]);
    const std::vector<T> high = load<T>(*operands[2]);
    for (size_t i = 0; i < values.size(); ++i) {
      const T& least = low.size() == 1 ? low[0] : low[i];
      const T& most = high.size() == 1 ? high[0] : high[i];
      values[i] = extreme(extreme(values[i], least, 1), most, -1);
    }
    return store<T>(instruction.shape, values);
  });
}

}  // namespace

Functions binary_functions() {
  return {{"add", add},
          {"subtract", subtract},
          {"multiply", multiply},
          {"divide", divide},
          {"remainder", remainder_of},
          {"maximum", maximum},
          {"minimum", minimum},
          {"and", bit_and},
          {"or", bit_or},
          {"xor", bit_xor},
          {"clamp", clamp}};
}

}  // namespace hlo::cpu
