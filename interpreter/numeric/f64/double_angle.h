#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/f64/double_approximation.h"
#include "interpreter/numeric/f64/double_tables.h"

// atan and its relatives in pairs of doubles.
namespace hlo::numeric {

/// atan(z) for |z| < 2^-6.99, off by less than 2^-80.5 |z| (2^-180 if that is
/// more).
///
/// The series, of which z^14 / 15 < 2^-100 is left out. s is below 2^-16.3 and
/// off by less than 5u of that (the square, the first constant and three
/// operations), which weighs z^2 |z|.
template <Product P>
DoubleDouble<P> atan_series(DoubleDouble<P> z) {
  using Pair = DoubleDouble<P>;
  constexpr HiLo kMinusThird = {-0x1.5555555555555p-2, -0x1.5555555555555p-56};
  const Pair square = z * z;
  const double x = square.hi;
  const double s =
      x * (1.0 / 5 -
           x * (1.0 / 7 - x * (1.0 / 9 - x * (1.0 / 11 - x * (1.0 / 13)))));
  const Pair third = add_lesser(Pair(kMinusThird), Pair(s));
  const Pair cubic = multiply_roughly(multiply_roughly(z, square), third);
  return add_lesser(z, cubic);
}

/// The angle of (x, y) for 0 <= y <= x (1 + 2^-50), y / x being 0 or above
/// 2^-900, x between 2^-30 and 2^900, off by less than 2^-80 of it.
///
/// c = i/64 next to y/x; tan(angle - atan c) = (y - c x) / (x + c y) = z is at
/// most 2^-7 (1 + 2^-40) in magnitude and off by less than 2^-99 (c + |z|), as
/// y and c x are below 1.6 x c where c is not 0. Then atan c is above 2^-6.1.
template <Product P>
DoubleDouble<P> steep_angle(DoubleDouble<P> y, DoubleDouble<P> x) {
  using Pair = DoubleDouble<P>;
  constexpr double kSteps = AngleTable::kSteps;
  constexpr double kHalf = 0.5;
  const auto step = static_cast<size_t>(y.hi / x.hi * kSteps + kHalf);
  const double c = static_cast<double>(step) / kSteps;
  const Pair z =
      add_roughly(y, -times_short(x, c)) / add_roughly(x, times_short(y, c));
  return add_lesser(Pair(angle_table().angle[step]), atan_series(z));
}

/// The angle in [0, pi] of (x, y) for y > 0, off by less than 2^-79 of it: from
/// the nearest of 0, pi/2 and pi, by an angle of at most pi/4 + 2^-50.
///
/// Which one it is, is looked up: random branches cost more.
template <Product P>
DoubleDouble<P> angle_of(DoubleDouble<P> y, DoubleDouble<P> x) {
  using Pair = DoubleDouble<P>;
  const size_t left = x.hi < 0 ? 1 : 0;
  const std::array<Pair, 2> legs = {y, scale(x, left != 0 ? -1.0 : 1.0)};
  const size_t up = legs[0].hi > legs[1].hi ? 1 : 0;
  const Pair angle = steep_angle(legs[up], legs[1 - up]);
  return add_lesser(Pair(angle_table().axis[2 * left + up]),
                    scale(angle, left == up ? 1.0 : -1.0));
}

/// The square root of 1 - x^2 for |x| < 1: the square and its difference from 1
/// are exact, so that one sum has an error, 2 u^2 of it.
template <Product P>
DoubleDouble<P> opposite_leg(double x) {
  using Pair = DoubleDouble<P>;
  const HiLo square = two_product<P>(x, x);
  return square_root(Pair(two_sum(1, -square.hi)) - square.lo);
}

template <Product P>
DoubleDouble<P> with_sign(DoubleDouble<P> value, double sign) {
  return std::signbit(sign) ? -value : value;
}

template <Product P>
Approximation approximate_atan(double x) {
  using Pair = DoubleDouble<P>;
  const double magnitude = std::abs(x);
  // Above, atan is pi/2 but for less than 2^-110.
  const double y = magnitude > 0x1p110 ? 0x1p110 : magnitude;
  if (std::isnan(x)) return undecided();
  return within(with_sign(angle_of(Pair(y), Pair(1)), x), 0x1p-79);
}

template <Product P>
Approximation approximate_asin(double x) {
  using Pair = DoubleDouble<P>;
  if (!(std::abs(x) < 1)) return undecided();
  const Pair angle = angle_of(Pair(std::abs(x)), opposite_leg<P>(x));
  return within(with_sign(angle, x), 0x1p-79);
}

/// An x below 2^-100 may be left out beside pi/2.
template <Product P>
Approximation approximate_acos(double x) {
  using Pair = DoubleDouble<P>;
  if (!(std::abs(x) < 1)) return undecided();
  const double cosine = std::abs(x) < 0x1p-100 ? 0 : x;
  return within(angle_of(opposite_leg<P>(cosine), Pair(cosine)), 0x1p-79);
}

}  // namespace hlo::numeric
