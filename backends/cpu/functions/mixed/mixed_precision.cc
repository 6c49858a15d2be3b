#include "backends/cpu/functions/mixed/mixed_precision.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "backends/cpu/arrays/converted.h"
#include "backends/cpu/arrays/map_elements.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

/// A rounded value and the sign of what its rounding has left out.
struct Approximate {
  double value = 0;
  double rest = 0;
};

Approximate sum(double x, double y) {
  const double value = x + y;
  const double part = value - x;
  return {value, (x - (value - part)) + (y - part)};
}

/// What is too small for f64 is its least number: a type without a zero, as
/// f8e8m0fnu, has a number for it.
double least_with_sign_of(double value) {
  return std::copysign(std::numeric_limits<double>::denorm_min(), value);
}

/// The rest of products in the range of subnormal numbers is lost; no type that
/// is narrower than f64 has numbers near them.
Approximate product(double x, double y) {
  const double value = x * y;
  if (value == 0 && x != 0 && y != 0) return {least_with_sign_of(value), 0};
  return {value, std::fma(x, y, -value)};
}

Approximate quotient(double x, double y) {
  const double value = x / y;
  if (value == 0 && x != 0 && std::isfinite(y)) {
    return {least_with_sign_of(value), 0};
  }
  const double rest = -std::fma(value, y, -x);
  return {value, std::signbit(y) ? -rest : rest};
}

/// The exact value cut to 53 bits, the last of which is set where something was
/// cut off: rounded once more to fewer bits it gives what the exact value does.
double sticky(const Approximate& exact) {
  if (!std::isfinite(exact.value) || exact.value == 0 || exact.rest == 0 ||
      std::isnan(exact.rest)) {
    return exact.value;
  }
  auto code = std::bit_cast<uint64_t>(exact.value);
  if (std::signbit(exact.rest) != std::signbit(exact.value)) --code;
  return std::bit_cast<double>(code | 1);
}

Array by_pairs(const Instruction& instruction, Operands operands,
               Approximate (*f)(double, double)) {
  return map_pairs(instruction, operands, [&](auto x, auto y) {
    if constexpr (std::is_same_v<decltype(x), double>) {
      return sticky(f(x, y));
    } else {
      throw std::logic_error("operands of another type than f64");
      return x;
    }
  });
}

/// Zeros that power and atan2 give of numbers are too small ones; other results
/// are as they were.
Array above_zero(const Instruction& wide, const Array& result,
                 Operands operands) {
  const auto least = [](double x, double y) -> Approximate {
    const bool is_small = std::isfinite(x) && std::isfinite(y) && x != 0;
    return {is_small ? least_with_sign_of(1) : 0, 0};
  };
  const auto replace = [](double value, double small) -> Approximate {
    return {value == 0 ? std::copysign(small, value) : value, 0};
  };
  const Array small = by_pairs(wide, operands, least);
  return by_pairs(wide, std::array{&result, &small}, replace);
}

}  // namespace

Array narrowed(const Instruction& instruction, Operands operands,
               Function function) {
  Instruction wide = instruction;
  wide.shape.element_type = ElementType::kF64;
  const std::string_view name = instruction.op->name;
  Array result;
  if (name == "add") {
    result = by_pairs(wide, operands, sum);
  } else if (name == "subtract") {
    result =
        by_pairs(wide, operands, [](double x, double y) { return sum(x, -y); });
  } else if (name == "multiply") {
    result = by_pairs(wide, operands, product);
  } else if (name == "divide") {
    result = by_pairs(wide, operands, quotient);
  } else {
    result = function(wide, operands);
  }
  if (name == "power" || name == "atan2") {
    result = above_zero(wide, result, operands);
  }
  result = converted(result, instruction.shape.element_type);
  result.shape = instruction.shape;
  return result;
}

}  // namespace hlo::cpu
