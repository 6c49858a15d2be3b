#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "backends/cpu/engine.h"

namespace hlo::cpu {
namespace {

template <typename T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T>;
template <typename T>
inline constexpr bool kIsInteger = std::is_integral_v<T>;

/// Arithmetic makes a signaling NaN quiet; moving it does not.
template <typename T>
T quiet(T x) {
  return x != x ? x + x : x;
}

/// Applies `f` to each element in its host type.
template <typename F>
Array map(const Instruction& instruction, const Array& operand, F f) {
  return with_host_type(operand.shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    std::vector<T> values = load<T>(operand);
    for (T& value : values) value = static_cast<T>(f(value));
    return store<T>(instruction.shape, values);
  });
}

/// A function of floats and complex numbers only.
template <typename F>
Array map_real(const Instruction& instruction, Operands operands, F f) {
  return map(instruction, *operands[0], [&](auto x) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      throw Unsupported("that function of integers");
      return x;
    } else {
      return f(x);
    }
  });
}

/// A function of floats only.
template <typename F>
Array map_float(const Instruction& instruction, Operands operands, F f) {
  return map(instruction, *operands[0], [&](auto x) {
    using T = decltype(x);
    if constexpr (kIsFloat<T>) {
      return std::isnan(x) ? quiet(x) : f(x);
    } else {
      throw Unsupported("that function of other types than floats");
      return x;
    }
  });
}

Array negate(const Instruction& instruction, Operands operands) {
  return map(instruction, *operands[0], [](auto x) {
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
  return map(instruction, *operands[0], [](auto x) {
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

Array sign(const Instruction& instruction, Operands operands) {
  return map(instruction, *operands[0], [](auto x) {
    using T = decltype(x);
    if constexpr (kIsFloat<T>) {
      return x == 0 || std::isnan(x) ? quiet(x) : std::copysign(T{1}, x);
    } else if constexpr (kIsInteger<T>) {
      const auto number = static_cast<int64_t>(x);
      return static_cast<T>((number > 0 ? 1 : 0) - (number < 0 ? 1 : 0));
    } else {
      return x == T{} ? x : x / std::abs(x);
    }
  });
}

Array logical_not(const Instruction& instruction, Operands operands) {
  const bool pred = operands[0]->shape.element_type == ElementType::kPred;
  return map(instruction, *operands[0], [&](auto x) {
    using T = decltype(x);
    if constexpr (kIsInteger<T>) {
      return static_cast<T>(pred ? static_cast<T>(x == 0) : ~x);
    } else {
      return x;
    }
  });
}

Array exponential(const Instruction& instruction, Operands operands) {
  return map_real(instruction, operands, [](auto x) { return std::exp(x); });
}

Array logarithm(const Instruction& instruction, Operands operands) {
  return map_real(instruction, operands, [](auto x) { return std::log(x); });
}

Array tangent(const Instruction& instruction, Operands operands) {
  return map_real(instruction, operands, [](auto x) { return std::tanh(x); });
}

Array root(const Instruction& instruction, Operands operands) {
  return map_real(instruction, operands, [](auto x) { return std::sqrt(x); });
}

Array inverse_root(const Instruction& instruction, Operands operands) {
  return map_real(instruction, operands,
                  [](auto x) { return decltype(x){1} / std::sqrt(x); });
}

Array logistic(const Instruction& instruction, Operands operands) {
  return map_real(instruction, operands, [](auto x) {
    using T = decltype(x);
    if constexpr (kIsFloat<T>) {
      // exp of a non-positive number cannot overflow.
      const T e = std::exp(-std::fabs(x));
      return x < 0 ? e / (T{1} + e) : T{1} / (T{1} + e);
    } else {
      return T{1} / (T{1} + std::exp(-x));
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

/// An integer as a double whose last bit is set where bits were lost, so that
/// rounding it again to fewer bits is right.
double sticky_double(uint64_t magnitude) {
  if (magnitude < (uint64_t{1} << 53)) return static_cast<double>(magnitude);
  const bool lost = (magnitude & 0x7ff) != 0;
  return static_cast<double>((magnitude >> 11) | (lost ? 1 : 0)) * 2048.0;
}

template <typename From>
double narrowing(From x) {
  if constexpr (std::is_same_v<From, uint64_t>) {
    return sticky_double(x);
  } else if constexpr (std::is_same_v<From, int64_t>) {
    const double magnitude =
        sticky_double(x < 0 ? uint64_t{0} - static_cast<uint64_t>(x)
                            : static_cast<uint64_t>(x));
    return x < 0 ? -magnitude : magnitude;
  } else {
    return static_cast<double>(x);
  }
}

template <typename From>
uint64_t to_integer(From x, ElementType type) {
  const int width = bits(type) - (is_signed(type) ? 1 : 0);
  const double high = std::ldexp(1.0, width);
  const auto value = static_cast<double>(x);
  if (std::isnan(value)) return 0;
  if (is_signed(type)) {
    if (value >= high) return (uint64_t{1} << width) - 1;
    if (value <= -high) return static_cast<uint64_t>(-1) << width;
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  if (value >= high)
    return width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  return value <= 0 ? 0 : static_cast<uint64_t>(value);
}

template <typename From>
Array convert_real(const Shape& shape, const std::vector<From>& values) {
  const ElementType type = shape.element_type;
  if (is_integer(type) || type == ElementType::kPred) {
    std::vector<uint64_t> result;
    for (const From x : values) {
      if constexpr (kIsFloat<From>) {
        result.push_back(type == ElementType::kPred
                             ? static_cast<uint64_t>(x != 0)
                             : to_integer(x, type));
      } else {
        result.push_back(static_cast<uint64_t>(x));
      }
    }
    if (!is_signed(type)) return store<uint64_t>(shape, result);
    const std::vector<int64_t> numbers(result.begin(), result.end());
    return store<int64_t>(shape, numbers);
  }
  if (type == ElementType::kF32) {
    const std::vector<float> result(values.begin(), values.end());
    return store<float>(shape, result);
  }
  std::vector<double> result;
  for (const From x : values) {
    result.push_back(type == ElementType::kF64 ? static_cast<double>(x)
                                               : narrowing(x));
  }
  return store<double>(shape, result);
}

template <typename Part, typename From>
Array convert_to_complex(const Shape& shape, const std::vector<From>& values) {
  std::vector<std::complex<Part>> result;
  for (const From x : values) {
    if constexpr (kIsFloat<From> || kIsInteger<From>) {
      result.emplace_back(quiet(static_cast<Part>(x)), Part{0});
    } else {
      result.emplace_back(static_cast<Part>(x.real()),
                          static_cast<Part>(x.imag()));
    }
  }
  return store<std::complex<Part>>(shape, result);
}

Array convert(const Instruction& instruction, Operands operands) {
  const Shape& shape = instruction.shape;
  if (operands[0]->shape.element_type == shape.element_type) {
    return *operands[0];
  }
  return with_host_type(operands[0]->shape.element_type, [&](auto tag) {
    using From = decltype(tag);
    const std::vector<From> values = load<From>(*operands[0]);
    if (shape.element_type == ElementType::kC64) {
      return convert_to_complex<float>(shape, values);
    }
    if (shape.element_type == ElementType::kC128) {
      return convert_to_complex<double>(shape, values);
    }
    if constexpr (kIsFloat<From> || kIsInteger<From>) {
      return convert_real(shape, values);
    } else {
      throw Unsupported("complex numbers as real ones");
      return Array();
    }
  });
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
          {"round-nearest-afz", round_away},
          {"convert", convert}};
}

}  // namespace hlo::cpu
