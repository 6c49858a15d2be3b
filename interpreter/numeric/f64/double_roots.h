#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/f64/double_approximation.h"

// Roots in pairs of doubles.
namespace hlo::numeric {

/// x = significand * 2^exponent with 1 <= |significand| < 2.
struct Binade {
  double significand;
  int exponent;
};

/// For finite x that is not 0.
inline Binade binade(double x) {
  constexpr uint64_t kExponent = uint64_t{0x7ff} << 52;
  constexpr uint64_t kOne = uint64_t{1023} << 52;
  const bool tiny = std::abs(x) < std::numeric_limits<double>::min();
  const auto bits = std::bit_cast<uint64_t>(tiny ? x * 0x1p54 : x);
  const int exponent = static_cast<int>((bits & kExponent) >> 52) - 1023;
  return {std::bit_cast<double>((bits & ~kExponent) | kOne),
          tiny ? exponent - 54 : exponent};
}

/// 1 / sqrt(m) for m in [1, 4): y of double is off by d < 2u of it; h = 1 - m
/// y^2 is -2d + d^2, found but for 2^-104; y + y h / 2 leaves 3/2 d^2 < 2^-103
/// and two roundings of y h / 2 < 2u y.
template <Product P>
Approximation approximate_rsqrt(double x) {
  using Pair = DoubleDouble<P>;
  if (!(x > 0 && x <= std::numeric_limits<double>::max())) return undecided();
  const Binade parts = binade(x);
  const int odd = parts.exponent & 1;
  const double m = odd != 0 ? 2 * parts.significand : parts.significand;
  const double y = 1 / std::sqrt(m);
  const Pair rest = Pair(1) - Pair(two_product<P>(y, y)) * m;
  const Pair root(fast_two_sum(y, y * rest.hi / 2));
  return within(root, 0x1p-100, -(parts.exponent - odd) / 2);
}

/// The root of m in [1, 4) times 2^(e/2).
template <Product P>
Approximation approximate_sqrt(double x) {
  if (!(x > 0 && x <= std::numeric_limits<double>::max())) return undecided();
  const Binade parts = binade(x);
  const int odd = parts.exponent & 1;
  const double m = odd != 0 ? 2 * parts.significand : parts.significand;
  return within(square_root(DoubleDouble<P>(m)), 0x1p-101,
                (parts.exponent - odd) / 2);
}

/// sqrt(x^2 + y^2): both squares are exact, the sum is off by 2^-102, the root
/// by half of that and 2^-102. Below 2^-400 of the other an argument's square
/// is nothing beside 2^-104.
template <Product P>
Approximation approximate_hypot(double x, double y) {
  using Pair = DoubleDouble<P>;
  constexpr double kMax = std::numeric_limits<double>::max();
  const bool swap = std::abs(x) < std::abs(y);
  const double greater = std::abs(swap ? y : x);
  const double lesser = std::abs(swap ? x : y);
  if (!(lesser > 0 && greater <= kMax)) return undecided();
  const Binade a = binade(greater);
  const Binade b = binade(lesser);
  const int between = b.exponent - a.exponent;
  const double scaled =
      between < -400 ? 0 : b.significand * power_of_two(between);
  const Pair sum = Pair(two_product<P>(a.significand, a.significand)) +
                   Pair(two_product<P>(scaled, scaled));
  return within(square_root(sum), 0x1p-100, a.exponent);
}

/// A cube root of m in [1, 8): the seed is off by less than 4 %, and every one
/// of Halley's steps cubes the error.
inline double rough_cube_root(double m) {
  constexpr uint64_t kTwoThirdsOfOne = 0x2a9f7893782da1ce;
  auto y =
      std::bit_cast<double>(std::bit_cast<uint64_t>(m) / 3 + kTwoThirdsOfOne);
  for (int i = 0; i < 3; ++i) {
    const double cube = y * y * y;
    y = y * (cube + 2 * m) / (2 * cube + m);
  }
  return y;
}

/// y is off by d of the root; h = m - y^3 is found but for 2^-101 m, and the
/// step h / (3 y^2) leaves d^2 and three roundings of the step. How small d is,
/// is seen from the step.
template <Product P>
Approximation approximate_cbrt(double x) {
  using Pair = DoubleDouble<P>;
  const double magnitude = std::abs(x);
  if (!(magnitude > 0 && magnitude <= std::numeric_limits<double>::max())) {
    return undecided();
  }
  const Binade parts = binade(x);
  const int rest = ((parts.exponent % 3) + 3) % 3;
  const double m = std::abs(parts.significand) * (1 << rest);
  const double y = rough_cube_root(m);
  const Pair cube = Pair(two_product<P>(y, y)) * y;
  const double step = (Pair(m) - cube).hi / (3 * y * y);
  if (!(std::abs(step) < 0x1p-48)) return undecided();
  const Pair root(fast_two_sum(y, step));
  return within(scale(root, std::copysign(1.0, x)), 0x1p-95,
                (parts.exponent - rest) / 3);
}

}  // namespace hlo::numeric
