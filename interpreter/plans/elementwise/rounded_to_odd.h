#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/rules/element_facts.h"

namespace hlo::loops {

/// The significand of a number that is finite, so that no product of two and no
/// rest of a quotient underflows.
inline double significand(double x) {
  int exponent = 0;
  return std::frexp(x, &exponent);
}

/// On which side of the nearest double the exact a + b, a - b, a * b or a / b
/// lies: a number of that sign, or 0.
template <Arithmetic kArithmetic>
double side_of(double a, double b) {
  if constexpr (kArithmetic == Arithmetic::kSum) {
    return numeric::two_sum(a, b).lo;
  } else if constexpr (kArithmetic == Arithmetic::kDifference) {
    return numeric::two_sum(a, -b).lo;
  } else {
    const double x = significand(a);
    const double y = significand(b);
    if constexpr (kArithmetic == Arithmetic::kProduct) {
      return std::fma(x, y, -(x * y));
    } else {
      static_assert(kArithmetic == Arithmetic::kQuotient);
      return std::copysign(1.0, y) * std::fma(-(x / y), y, x);
    }
  }
}

/// Whether the nearest double is zero, but the exact product or quotient not.
template <Arithmetic kArithmetic>
bool is_underflow(double nearest, double a, double b) {
  if (nearest != 0 || a == 0) return false;
  if constexpr (kArithmetic == Arithmetic::kProduct) return b != 0;
  if constexpr (kArithmetic == Arithmetic::kQuotient) return std::isfinite(b);
  return false;
}

/// The exact result rounded to odd: of the two doubles around it the one with
/// an odd significand. Rounded once more, to a narrower format, that is
/// correctly rounded, which the nearest double need not be (Boldo and
/// Melquiond, IEEE Transactions on Computers 57(4), 2008).
template <Arithmetic kArithmetic>
double rounded_to_odd(double nearest, double a, double b) {
  if (is_underflow<kArithmetic>(nearest, a, b)) {
    // Not a zero: f8e8m0fnu has none, but a least number.
    return std::copysign(std::numeric_limits<double>::denorm_min(), nearest);
  }
  if (nearest == 0 || !std::isfinite(nearest)) return nearest;
  const double side = side_of<kArithmetic>(a, b);
  const bool is_odd = (std::bit_cast<uint64_t>(nearest) & 1) != 0;
  if (is_odd || side == 0) return nearest;
  return std::nextafter(nearest, std::copysign(HUGE_VAL, side));
}

}  // namespace hlo::loops
