#pragma once

#include <cmath>
#include <limits>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/f64/double_approximation.h"
#include "interpreter/numeric/f64/double_exponential.h"
#include "interpreter/numeric/f64/double_logarithm.h"
#include "interpreter/numeric/f64/double_tables.h"

// The hyperbolic functions and their inverses in pairs of doubles.
namespace hlo::numeric {

/// exp(x) - 1 for 2^-100 < x < 100, off by less than 2^-80.9 of it.
template <Product P>
DoubleDouble<P> exponential_minus_one(double x) {
  const auto parts = exponential_parts(DoubleDouble<P>(x));
  return scale(exponential_minus_one_significand(parts),
               power_of_two(parts.exponent));
}

/// With s = exp|x| - 1, sinh|x| = (s + s / (1 + s)) / 2, whose relative error
/// is at most that of s (s f'/f = 1 + s/(2 + s) - s/(1 + s) <= 1). From 40 on
/// exp(-x) is below 2^-115 of exp(x).
template <Product P>
Approximation approximate_sinh(double x) {
  using Pair = DoubleDouble<P>;
  const double magnitude = std::abs(x);
  const double sign = std::copysign(1.0, x);
  if (!(magnitude <= 710.4)) return undecided();
  if (magnitude > 40) {
    const auto parts = exponential_parts(Pair(magnitude));
    return within(scale(exponential_significand(parts), sign), 0x1p-86,
                  parts.exponent - 1);
  }
  const Pair s = exponential_minus_one<P>(magnitude);
  return within(scale(s + s / (s + 1.0), sign / 2), 0x1p-80);
}

/// (e + 1/e) / 2 for e = exp|x|, whose error counts at most once.
template <Product P>
Approximation approximate_cosh(double x) {
  using Pair = DoubleDouble<P>;
  if (!(std::abs(x) <= 710.4)) return undecided();
  const auto parts = exponential_parts(Pair(std::abs(x)));
  const Pair e = exponential_significand(parts);
  // Above 40, 1/e is below 2^-115 of e.
  const double unit =
      parts.exponent > 60 ? 0 : power_of_two(-2 * parts.exponent);
  return within(e + Pair(unit) / e, 0x1p-86, parts.exponent - 1);
}

/// s / (s + 2) for s = exp|2x| - 1, whose error counts at most once. Beyond 40
/// the distance to 1 is below 2 exp(-80) < 2^-114.
template <Product P>
Approximation approximate_tanh(double x) {
  using Pair = DoubleDouble<P>;
  if (std::isnan(x)) return undecided();
  const double magnitude = std::abs(x);
  const double sign = std::copysign(1.0, x);
  if (std::isinf(x)) return exactly(sign);
  if (magnitude > 40) return sign > 0 ? just_below(1) : just_above(-1);
  const Pair s = exponential_minus_one<P>(2 * magnitude);
  return within(scale(s / (s + 2.0), sign), 0x1p-80);
}

/// log(2x) for x > 2^60.
template <Product P>
DoubleDouble<P> logarithm_of_twice(double x) {
  const HiLo ln2 = log_table().ln2;
  return logarithm(DoubleDouble<P>(x)) +
         DoubleDouble<P>(fast_two_sum(ln2.hi, ln2.lo));
}

/// log(x + sqrt(x^2 + 1)) for x > 0 is log(1 + z), z = x + x^2 / (1 + sqrt(1 +
/// x^2)); all terms are positive, so that z is off by less than 2^-99, which
/// counts at most once. From 1/2 on the sum x + sqrt(x^2 + 1) > 1.6 itself is
/// off by less than 2^-101, which is below 2^-99.9 of its logarithm. Above
/// 2^60 it is log(2x) but for 2^-122.
template <Product P>
Approximation approximate_asinh(double x) {
  using Pair = DoubleDouble<P>;
  const double magnitude = std::abs(x);
  const double sign = std::copysign(1.0, x);
  if (!(magnitude <= std::numeric_limits<double>::max())) return undecided();
  if (magnitude > 0x1p60) {
    return within(scale(logarithm_of_twice<P>(magnitude), sign), 0x1p-82);
  }
  const Pair square(two_product<P>(magnitude, magnitude));
  const Pair root = square_root(square + 1.0);
  if (magnitude >= 0.5) {
    return within(scale(logarithm(root + magnitude), sign), 0x1p-82);
  }
  const Pair z = square / (root + 1.0) + magnitude;
  return within(scale(logarithm_of_one_and(z), sign), 0x1p-82);
}

/// log(x + sqrt(x^2 - 1)) = log(1 + z), z = t + sqrt(t (t + 2)) for t = x - 1,
/// which is exact.
template <Product P>
Approximation approximate_acosh(double x) {
  using Pair = DoubleDouble<P>;
  if (!(x > 1 && x <= std::numeric_limits<double>::max())) return undecided();
  if (x > 0x1p60) return within(logarithm_of_twice<P>(x), 0x1p-82);
  const Pair t(two_sum(x, -1));
  const Pair z = t + square_root(t * (t + 2.0));
  return within(logarithm_of_one_and(z), 0x1p-82);
}

/// log(1 + z) / 2 for z = 2|x| / (1 - |x|), where 1 - |x| is exact.
template <Product P>
Approximation approximate_atanh(double x) {
  using Pair = DoubleDouble<P>;
  const double magnitude = std::abs(x);
  if (!(magnitude < 1)) return undecided();
  const Pair z = Pair(2 * magnitude) / Pair(two_sum(1, -magnitude));
  return within(scale(logarithm_of_one_and(z), std::copysign(0.5, x)), 0x1p-82);
}

}  // namespace hlo::numeric
