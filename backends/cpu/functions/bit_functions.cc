#include "backends/cpu/functions/bit_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "backends/cpu/arrays/map_elements.h"

namespace hlo::cpu {
namespace {

/// The lowest `width` bits.
uint64_t low_bits(uint64_t value, int width) {
  return width == 64 ? value : value & ((uint64_t{1} << width) - 1);
}

Array shift_left(const Instruction& instruction, Operands operands) {
  const int width = bits(instruction.shape.element_type);
  return map_integers(instruction, operands, [&](auto x, auto y) {
    const uint64_t amount = low_bits(static_cast<uint64_t>(y), width);
    return amount < static_cast<uint64_t>(width)
               ? static_cast<uint64_t>(x) << amount
               : uint64_t{0};
  });
}

Array shift_right_logical(const Instruction& instruction, Operands operands) {
  const int width = bits(instruction.shape.element_type);
  return map_integers(instruction, operands, [&](auto x, auto y) {
    const uint64_t amount = low_bits(static_cast<uint64_t>(y), width);
    return amount < static_cast<uint64_t>(width)
               ? low_bits(static_cast<uint64_t>(x), width) >> amount
               : uint64_t{0};
  });
}

Array shift_right_arithmetic(const Instruction& instruction,
                             Operands operands) {
  const int width = bits(instruction.shape.element_type);
  return map_integers(instruction, operands, [&](auto x, auto y) {
    const uint64_t amount = low_bits(static_cast<uint64_t>(y), width);
    const int spare = 64 - width;
    const auto number =
        static_cast<int64_t>(static_cast<uint64_t>(x) << spare) >> spare;
    return number >> std::min(amount, uint64_t{63});
  });
}

/// The upper half of the product of two 64-bit numbers, by halves.
uint64_t upper_half(uint64_t x, uint64_t y) {
  constexpr uint64_t kLow = 0xffffffff;
  const uint64_t low = (x & kLow) * (y & kLow);
  const uint64_t left = (x >> 32) * (y & kLow) + (low >> 32);
  const uint64_t right = (x & kLow) * (y >> 32) + (left & kLow);
  return (x >> 32) * (y >> 32) + (left >> 32) + (right >> 32);
}

template <typename T>
T multiply_high(T x, T y, int width) {
  if (width < 64) {
    // Up to 32 bits the product is exact.
    return static_cast<T>(static_cast<T>(x * y) >> width);
  }
  uint64_t high =
      upper_half(static_cast<uint64_t>(x), static_cast<uint64_t>(y));
  if constexpr (std::is_signed_v<T>) {
    if (x < 0) high -= static_cast<uint64_t>(y);
    if (y < 0) high -= static_cast<uint64_t>(x);
  }
  return static_cast<T>(high);
}

Array upper_product(const Instruction& instruction, Operands operands) {
  const int width = bits(instruction.shape.element_type);
  return map_integers(instruction, operands, [&](auto x, auto y) {
    return multiply_high(x, y, width);
  });
}

Array count_leading_zeros(const Instruction& instruction, Operands operands) {
  const int width = bits(instruction.shape.element_type);
  return map_elements(instruction, *operands[0], [&](auto x) {
    if constexpr (kIsInteger<decltype(x)>) {
      const uint64_t number = low_bits(static_cast<uint64_t>(x), width);
      const int64_t zeros = std::countl_zero(number);
      return static_cast<decltype(x)>(zeros - 64 + width);
    } else {
      throw Unsupported("bits of other types than integers");
      return x;
    }
  });
}

Array population_count(const Instruction& instruction, Operands operands) {
  const int width = bits(instruction.shape.element_type);
  return map_elements(instruction, *operands[0], [&](auto x) {
    if constexpr (kIsInteger<decltype(x)>) {
      return static_cast<decltype(x)>(
          std::popcount(low_bits(static_cast<uint64_t>(x), width)));
    } else {
      throw Unsupported("bits of other types than integers");
      return x;
    }
  });
}

Array is_finite(const Instruction& instruction, Operands operands) {
  return with_host_type(operands[0]->shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (kIsFloat<T>) {
      std::vector<uint64_t> result;
      for (const T x : load<T>(*operands[0])) {
        result.push_back(std::isfinite(x) ? 1 : 0);
      }
      return store<uint64_t>(instruction.shape, result);
    } else {
      throw Unsupported("whether other types than floats are finite");
      return Array();
    }
  });
}

/// Rounds to so many mantissa bits, then drops what has no exponent.
double reduced(double x, int64_t mantissa, int64_t exponents, int bias) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  std::frexp(x, &exponent);
  exponent = std::max(exponent - 1, 1 - bias);  // subnormals share theirs
  const int unit = exponent - static_cast<int>(mantissa);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
  const double limit = std::ldexp(1.0, static_cast<int>(exponents) - 1);
  if (std::fabs(rounded) >= std::ldexp(1.0, static_cast<int>(limit))) {
    return std::copysign(HUGE_VAL, x);
  }
  const bool tiny =
      std::fabs(rounded) < std::ldexp(1.0, 2 - static_cast<int>(limit));
  return tiny ? std::copysign(0.0, x) : rounded;
}

struct Fields {
  int64_t exponent_bits;
  int64_t mantissa_bits;
  int bias;
};

/// The fields of a type of at most 8 bits. The bias is that of the least
/// exponent.
Fields narrow_fields(ElementType type) {
  switch (type) {
    case ElementType::kF8E5M2:
      return {5, 2, 15};
    case ElementType::kF8E5M2FNUZ:
      return {5, 2, 16};
    case ElementType::kF8E4M3:
    case ElementType::kF8E4M3FN:
      return {4, 3, 7};
    case ElementType::kF8E4M3FNUZ:
      return {4, 3, 8};
    case ElementType::kF8E4M3B11FNUZ:
      return {4, 3, 11};
    case ElementType::kF8E3M4:
      return {3, 4, 3};
    case ElementType::kF6E3M2FN:
      return {3, 2, 3};
    case ElementType::kF6E2M3FN:
      return {2, 3, 1};
    case ElementType::kF4E2M1FN:
      return {2, 1, 1};
    case ElementType::kF8E8M0FNU:
      return {8, 0, 128};
    default:
      throw Unsupported("reduce-precision of other types than floats");
  }
}

Fields fields(ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return {11, 52, 1023};
    case ElementType::kF32:
      return {8, 23, 127};
    case ElementType::kBF16:
      return {8, 7, 127};
    case ElementType::kF16:
      return {5, 10, 15};
    default:
      return narrow_fields(type);
  }
}

Array reduce_precision(const Instruction& instruction, Operands operands) {
  const Fields own = fields(instruction.shape.element_type);
  const auto mantissa =
      std::min(instruction.get<int64_t>("mantissa_bits"), own.mantissa_bits);
  const auto exponents = instruction.get<int64_t>("exponent_bits");
  // With all of its exponents kept, the type itself overflows.
  const int64_t wide = exponents >= own.exponent_bits ? 12 : exponents;
  return map_float(instruction, operands, [&](auto x) {
    return reduced(static_cast<double>(x), mantissa, wide, own.bias);
  });
}

}  // namespace

Functions bit_functions() {
  return {{"shift-left", shift_left},
          {"shift-right-logical", shift_right_logical},
          {"shift-right-arithmetic", shift_right_arithmetic},
          {"mulhi", upper_product},
          {"count-leading-zeros", count_leading_zeros},
          {"popcnt", population_count},
          {"is-finite", is_finite},
          {"reduce-precision", reduce_precision}};
}

}  // namespace hlo::cpu
