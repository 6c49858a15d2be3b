#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/format/rounded_value.h"

// What is known of a function's value before it is rounded to double, and the
// rounding test.
namespace hlo::numeric {

/// The value is 2^exponent (hi + lo + e) with |e| < error, or with e = 0 where
/// the error is 0; where hi is NaN nothing is known. With an exponent other
/// than 0 it is not yet known to lie in the range of double.
struct Approximation {
  double hi;
  double lo;
  double error;
  int exponent = 0;
};

inline Approximation undecided() {
  return {std::numeric_limits<double>::quiet_NaN(), 0, 0};
}

/// A value that is off by less than `bound` of itself; the test's own sums are
/// off by 2^-105.
template <Product P>
Approximation within(DoubleDouble<P> value, double bound, int exponent = 0) {
  return {value.hi, value.lo, std::abs(value.hi) * (bound + 0x1p-104),
          exponent};
}

/// `value` itself.
inline Approximation exactly(double value) { return {value, 0, 0}; }

/// What differs from `value` by more than 0 and less than 2^-100.
inline Approximation just_above(double value) {
  return {value, 0x1p-101, 0x1p-101};
}

inline Approximation just_below(double value) {
  return {value, -0x1p-101, 0x1p-101};
}

/// 2^exponent, which is a normal number.
inline double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

/// value * 2^exponent, rightly rounded where that is normal or overflows.
inline double scale_up(double value, int exponent) {
  const int half = exponent / 2;
  return value * power_of_two(half) * power_of_two(exponent - half);
}

/// The nearest double where hi + lo - error and hi + lo + error agree on it, as
/// rounding is monotonic; else NaN. A number scaled into the subnormal range
/// would have to be rounded anew, which is left to others.
inline double decide(const Approximation& value) {
  const double nearest = value.hi + (value.lo + value.error);
  const double other = value.hi + (value.lo - value.error);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (nearest != other) return kNan;
  if (value.exponent == 0) return nearest;
  const double scaled = scale_up(nearest, value.exponent);
  return std::abs(scaled) >= std::numeric_limits<double>::min() ? scaled : kNan;
}

/// The nearest double and the side of it on which the exact value lies; nothing
/// where either is not certain.
std::optional<Rounded> decide_with_side(const Approximation& value);

}  // namespace hlo::numeric
