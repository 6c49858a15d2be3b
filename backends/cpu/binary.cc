#include <cmath>
#include <complex>
#include <type_traits>

#include "backends/cpu/engine.h"

namespace hlo::cpu {
namespace {

template <typename T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T>;
template <typename T>
inline constexpr bool kIsInteger = std::is_integral_v<T>;

/// Applies `f` to pairs of elements in their host type.
template <typename F>
Array map(const Instruction& instruction, Operands operands, F f) {
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

Array add(const Instruction& instruction, Operands operands) {
  return map(instruction, operands, [](auto x, auto y) {
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
  return map(instruction, operands, [](auto x, auto y) {
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
  return map(instruction, operands, [](auto x, auto y) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      return static_cast<T>(static_cast<uint64_t>(x) *
                            static_cast<uint64_t>(y));
    } else {
      return x * y;
    }
  });
}

Array divide(const Instruction& instruction, Operands operands) {
  return map(instruction, operands, [](auto x, auto y) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      if (y == 0) return static_cast<T>(~T{0});
      if constexpr (std::is_signed_v<T>) {
        if (y == -1)
          return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(x));
      }
      return static_cast<T>(x / y);
    } else {
      return x / y;
    }
  });
}

Array remainder_of(const Instruction& instruction, Operands operands) {
  return map(instruction, operands, [](auto x, auto y) {
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

/// The larger one where `sign` is 1, the smaller one where it is -1; NaN where
/// either is.
template <typename T>
T extreme(T x, T y, int sign) {
  if constexpr (kIsFloat<T>) {
    if (std::isnan(x) || std::isnan(y)) return x + y;  // quiet
    if (x == 0 && y == 0) return std::signbit(x) == (sign > 0) ? y : x;
    return (sign > 0) == (x > y) ? x : y;
  } else if constexpr (kIsInteger<T>) {
    return (sign > 0) == (x > y) ? x : y;
  } else {
    throw Unsupported("the order of complex numbers");
    return x;
  }
}

Array maximum(const Instruction& instruction, Operands operands) {
  return map(instruction, operands,
             [](auto x, auto y) { return extreme(x, y, 1); });
}

Array minimum(const Instruction& instruction, Operands operands) {
  return map(instruction, operands,
             [](auto x, auto y) { return extreme(x, y, -1); });
}

template <typename F>
Array map_bits(const Instruction& instruction, Operands operands, F f) {
  return map(instruction, operands, [&](auto x, auto y) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      return static_cast<T>(f(x, y));
    } else {
      throw Unsupported("bits of floats");
      return x;
    }
  });
}

Array bit_and(const Instruction& instruction, Operands operands) {
  return map_bits(instruction, operands, [](auto x, auto y) { return x & y; });
}

Array bit_or(const Instruction& instruction, Operands operands) {
  return map_bits(instruction, operands, [](auto x, auto y) { return x | y; });
}

Array bit_xor(const Instruction& instruction, Operands operands) {
  return map_bits(instruction, operands, [](auto x, auto y) { return x ^ y; });
}

template <typename T>
bool holds(const std::string& direction, T x, T y) {
  if (direction == "EQ") return x == y;
  if (direction == "NE") return x != y;
  if constexpr (kIsFloat<T> || kIsInteger<T>) {
    if (direction == "LT") return x < y;
    if (direction == "LE") return x <= y;
    if (direction == "GT") return x > y;
    return x >= y;
  } else {
    throw Unsupported("the order of complex numbers");
  }
}

/// A float's place in the total order, from its stored bits.
int64_t total_order(uint64_t code, ElementType type) {
  using enum ElementType;
  if (type == kF8E8M0FNU) return static_cast<int64_t>(code);
  const uint64_t sign = uint64_t{1} << (bits(type) - 1);
  const bool one_zero =
      type == kF8E4M3B11FNUZ || type == kF8E4M3FNUZ || type == kF8E5M2FNUZ;
  if (one_zero && code == sign) return INT64_MIN;
  const auto magnitude = static_cast<int64_t>(code & (sign - 1));
  if ((code & sign) == 0) return magnitude;
  return one_zero ? -magnitude : -magnitude - 1;
}

std::vector<int64_t> total_orders(const Array& array) {
  std::vector<int64_t> keys;
  Array codes = array;
  using enum ElementType;
  constexpr ElementType kBySize[] = {kU8, kU16, kU32, kU32, kU64};
  codes.shape.element_type = kBySize[array.width() / 2];
  for (const uint64_t code : load<uint64_t>(codes)) {
    keys.push_back(total_order(code, array.shape.element_type));
  }
  return keys;
}

template <typename T>
Array compare_all(const Instruction& instruction, const std::vector<T>& left,
                  const std::vector<T>& right) {
  const std::string& direction = instruction.get<Word>("direction").value;
  std::vector<uint64_t> result(left.size());
  for (size_t i = 0; i < left.size(); ++i) {
    result[i] = holds(direction, left[i], right[i]) ? 1 : 0;
  }
  return store<uint64_t>(instruction.shape, result);
}

Array compare(const Instruction& instruction, Operands operands) {
  const ElementType type = operands[0]->shape.element_type;
  const bool total =
      instruction.get_or<Word>("type", Word{}).value == "TOTALORDER";
  if (total && is_float(type)) {
    return compare_all(instruction, total_orders(*operands[0]),
                       total_orders(*operands[1]));
  }
  return with_host_type(type, [&](auto tag) {
    using T = decltype(tag);
    return compare_all(instruction, load<T>(*operands[0]),
                       load<T>(*operands[1]));
  });
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
          {"compare", compare},
          {"clamp", clamp}};
}

}  // namespace hlo::cpu
