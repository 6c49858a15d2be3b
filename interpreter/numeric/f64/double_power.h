#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/f64/double_angle.h"
#include "interpreter/numeric/f64/double_approximation.h"
#include "interpreter/numeric/f64/double_exponential.h"
#include "interpreter/numeric/f64/double_logarithm.h"
#include "interpreter/numeric/f64/double_roots.h"

// Functions of two arguments in pairs of doubles.
namespace hlo::numeric {

/// The sign of x^y for x < 0: 0 where y is not an integer, 1 where it is NaN.
inline int sign_of_power(double y) {
  if (!(std::abs(y) < 0x1p53)) return 1;
  const auto integer = static_cast<int64_t>(y);
  if (static_cast<double>(integer) != y) return 0;
  return integer % 2 == 0 ? 1 : -1;
}

/// exp(z), z = y log x: z is off by less than 2^-81.9 |z|, which is the
/// relative error of the result beside that of exp. Below |z| = 2^-900 the
/// product may underflow, which is nothing beside 1.
template <Product P>
Approximation approximate_power(double x, double y) {
  const double magnitude = std::abs(x);
  const int sign = x < 0 ? sign_of_power(y) : 1;
  if (!(magnitude > 0 && magnitude <= std::numeric_limits<double>::max() &&
        std::abs(y) < 0x1p900 && sign != 0)) {
    return undecided();
  }
  const DoubleDouble<P> z = logarithm_of_any<P>(magnitude) * y;
  if (!(z.hi >= -708 && z.hi <= 709.7)) return undecided();
  const auto parts = exponential_parts(z);
  const double bound = std::abs(z.hi) * 0x1.2p-82 + 0x1p-87;
  return within(scale(exponential_significand(parts), sign), bound,
                parts.exponent);
}

/// The angle of (x, y), both finite and not 0, where neither is nothing beside
/// the other.
template <Product P>
Approximation approximate_atan2(double y, double x) {
  using Pair = DoubleDouble<P>;
  constexpr double kMax = std::numeric_limits<double>::max();
  const double lesser = std::fmin(std::abs(y), std::abs(x));
  if (!(lesser > 0 && std::abs(y) <= kMax && std::abs(x) <= kMax)) {
    return undecided();
  }
  const Binade above = binade(std::abs(y));
  const Binade below = binade(x);
  const int between = above.exponent - below.exponent;
  if (std::abs(between) > 100) return undecided();
  const Pair angle = angle_of(Pair(above.significand * power_of_two(between)),
                              Pair(below.significand));
  return within(with_sign(angle, y), 0x1p-79);
}

}  // namespace hlo::numeric
