#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "interpreter/numeric/f32/kernels_exponential.h"
#include "interpreter/numeric/f32/kernels_logarithm.h"

// Kernels (see kernels_exponential.h) of roots and powers.
namespace hlo::numeric {

struct SqrtKernel {
  static constexpr double kError = 0x1p-52;

  [[gnu::always_inline]] double operator()(double x) const {
    return std::sqrt(x);
  }
};

/// x is a float, so that the start is off by d < 2^-23, two roundings of float;
/// a step of Newton leaves 1.5 d^2 + d^3 < 2^-45.4, and three roundings.
struct RsqrtKernel {
  static constexpr double kError = 0x1p-45;

  [[gnu::always_inline]] double operator()(double x) const {
    const double start = 1 / std::sqrt(static_cast<float>(x));
    const double value = start * (1.5 - 0.5 * x * (start * start));
    const double finite = x == 0 ? start : value;
    return x < std::numeric_limits<double>::infinity() ? finite : start;
  }
};

/// |x| = 2^(3 q + r) m with r = -1, 0, 1: 2^q cbrt(2^r) cbrt(m). The polynomial
/// is within 2^-18 of cbrt(m) (generators/kernel_bounds.py), and for a =
/// cbrt(m) (1 + d) Halley's a (a^3 + 2m) / (2 a^3 + m) is off by less than d^3.
/// Rounded: 2u for a^3, 1.7u and 2.4u for the sums of positive numbers, two
/// operations: 6.1u; the constant and the product by it: 8.2u; d^3 < u.
struct CbrtKernel {
  static constexpr double kError = 0x1p-49;

  [[gnu::always_inline]] double operator()(double x) const {
    const auto [k, m] = logarithm_parts(std::abs(x));
    const double shifted = k * (1.0 / 3) + kRoundToInteger;
    const double r = k - 3 * (shifted - kRoundToInteger);
    double a = 0x1.a2dfec4a72870p-6;
    a = a * m - 0x1.60a3892bd13e0p-3;
    a = a * m + 0x1.fb6e95d10c7dfp-2;
    a = a * m - 0x1.a3eba8ab9e21bp-1;
    a = a * m + 0x1.0c452fa1d5b51p+0;
    a = a * m + 0x1.b17799571fb4fp-2;
    const double cube = a * a * a;
    const double root = a * (cube + 2 * m) / (2 * cube + m);
    const double above = r > 0 ? 0x1.428a2f98d728bp+0 : 1.0;  // 2^(1/3)
    const double factor = r < 0 ? 0x1.965fea53d6e3dp-1 : above;
    const double value = root * factor * power_of_two_of(shifted);
    const double finite = x == 0 ? x : std::copysign(value, x);
    return std::abs(x) < std::numeric_limits<double>::infinity() ? finite : x;
  }
};

/// The squares are exact (48 bits, and no exponent overflows), the sum is off
/// by u, its root by u/2, and rounded once more.
struct HypotKernel {
  static constexpr double kError = 0x1p-51;

  [[gnu::always_inline]] double operator()(double x, double y) const {
    const double infinity = std::numeric_limits<double>::infinity();
    const double finite = std::sqrt(x * x + y * y);
    const double with_x = std::isinf(x) ? infinity : finite;
    return std::isinf(y) ? infinity : with_x;
  }
};

/// x^y = exp(y log x): log is off by 2^-50, the product by u more, so that the
/// exponent is off by less than 700 * 9u, beyond which nothing is left of any
/// format up to f32; exp adds 2^-50. For finite x > 0 and finite y.
struct PositivePowerKernel {
  static constexpr double kError = 0x1p-40;

  [[gnu::always_inline]] double operator()(double x, double y) const {
    const auto [k, m] = logarithm_parts(x);
    const double log = sum_of_parts(k, kLn2High, kLn2Low, log_of_m(m));
    return ExponentialKernel()(y * log);
  }
};

/// A kernel of x^y for any numbers.
struct PowerKernel {
  static constexpr double kError = PositivePowerKernel::kError;

  [[gnu::always_inline]] double operator()(double x, double y) const {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const double magnitude = magnitude_of(x, y);
    const bool negative = std::bit_cast<uint64_t>(x) >> 63 != 0;
    const double signed_magnitude = negative ? -magnitude : magnitude;
    const double half = clamp_argument(y, kEven) / 2;
    const bool integer = is_integer(2 * half);
    const bool even = is_integer(half);
    // Between -inf and 0 only integers y have a power.
    const double of_fraction =
        x < 0 && x >= -std::numeric_limits<double>::max() ? kNan : magnitude;
    const double of_integer = even ? magnitude : signed_magnitude;
    return integer ? of_integer : of_fraction;
  }

 private:
  static constexpr double kEven = 0x1p53;  // larger numbers are even integers

  [[gnu::always_inline]] static double magnitude_of(double x, double y) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double exponent = y * LogKernel()(std::abs(x));
    const double power = ExponentialKernel()(exponent);
    const double above = exponent < kInfinity ? power : exponent;
    const double value = exponent == -kInfinity ? 0 : above;
    // (-1)^(+-inf) = 1; also 1^NaN, and x^0 for every x.
    const double at_one = std::abs(y) == kInfinity ? 1 : value;
    const double by_x = x == -1 ? at_one : (x == 1 ? 1 : value);
    return y == 0 ? 1 : by_x;
  }

  /// |x| <= 2^53; NaN is taken for one.
  [[gnu::always_inline]] static bool is_integer(double x) {
    const double a = std::abs(x);
    const double rounded = (a + 0x1p52) - 0x1p52;
    const double fraction = a < 0x1p52 ? a - rounded : 0;
    return fraction == 0;
  }
};

}  // namespace hlo::numeric
