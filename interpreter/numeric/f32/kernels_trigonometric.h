#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "interpreter/numeric/f32/kernel_tables.h"
#include "interpreter/numeric/f32/kernels_exponential.h"

// Kernels (see kernels_exponential.h) of sine, cosine and tangent.
namespace hlo::numeric {

struct Angle {
  double theta;       // |x| - quadrant pi/2, |theta| < 0.9
  uint64_t quadrant;  // modulo 4
};

/// |x| < 2^20: theta = ((|x| - k p1) - k p2) - k p3 for the integer k < 2^20
/// nearest to |x| 2/pi and pi/2 = p1 + p2 + p3, the first two of 33 bits. k p1
/// is exact, and so is the first difference, a multiple of 2^-32 below 1 where
/// k is not 0. k p2 is exact, below 2^-13; the second difference is a multiple
/// of 2^-65, exact below 2^-12 and else off by u. k p3 < 2^-46 is off by 2^-98,
/// and |theta| > 2^-32 (generators/kernel_bounds.py): 3u with the last
/// difference.
struct NearReduction {
  static constexpr double kLimit = 0x1p20;

  [[gnu::always_inline]] Angle operator()(double x) const {
    constexpr double kPerQuarter = 0x1.45f306dc9c883p-1;
    const double a = std::abs(x);
    const double shifted = a * kPerQuarter + kRoundToInteger;
    const double k = shifted - kRoundToInteger;
    const double theta =
        ((a - k * 0x1.921fb54400000p+0) - k * 0x1.0b4611a600000p-34) -
        k * 0x1.3198a2e037073p-69;
    return {theta, std::bit_cast<uint64_t>(shifted) & 3};
  }
};

/// |x| = M 2^e, so |x| 2/pi = M (high + middle + low) modulo 4. M high is exact
/// (24 + 29 bits), and so is its distance from the nearest integer, at most
/// 1/2. M middle is exact and below 2^-4; the sum of the two is a multiple of
/// 2^-56 below 0.57: exact below 2^-3, else off by u. M low is below 2^-33 and
/// off by 2^-86 + 2^-86. The distance from the nearest integer is above 2^-32
/// for every x of at least pi/4 (generators/kernel_bounds.py), so that an
/// absolute error of 2^-85 is relatively at most u. Two sums and the product by
/// pi/2 (2u) come: theta is off by less than 6u.
///
/// Below 2^-26 there are no rows; x itself is the angle.
struct FarReduction {
  const QuarterTurns& turns = quarter_turns();

  [[gnu::always_inline]] Angle operator()(double x) const {
    constexpr uint64_t kFraction = (uint64_t{1} << 52) - 1;
    constexpr uint64_t kScale = uint64_t{1023 + 23} << 52;
    constexpr double kQuarter = 0x1.921fb54442d18p+0;
    constexpr uint64_t kFirst = 1023 + 23 + QuarterTurns::kLeastExponent;
    constexpr uint64_t kLast = QuarterTurns::kRows - 1;
    const double a = std::abs(x);
    const auto bits = std::bit_cast<uint64_t>(a);
    const uint64_t field = bits >> 52;
    const uint64_t above = field > kFirst ? field - kFirst : 0;
    const uint64_t row = above < kLast ? above : kLast;
    const auto m = std::bit_cast<double>((bits & kFraction) | kScale);
    const double product = m * turns.high[row];
    const double shifted = product + kRoundToInteger;
    const double part =
        (product - (shifted - kRoundToInteger)) + m * turns.middle[row];
    const double theta = (part + m * turns.low[row]) * kQuarter;
    const bool tiny = a < 0x1p-26;
    return {tiny ? a : theta, tiny ? 0 : std::bit_cast<uint64_t>(shifted) & 3};
  }
};

/// Taylor polynomials for |t| < 0.9, to t^17 and t^18: they leave out less than
/// 2^-58 of the value. After t, or 1, all terms together are below 0.13 t, or
/// 0.38 where cos t >= 0.62: their errors, below 4u of them, and the sum's u
/// make 2u, or 4u.
[[gnu::always_inline]] inline double sine_near_zero(double t) {
  const double z = t * t;
  double q = 0x1.952c77030ad4ap-49;  // 1/17!
  q = q * z - 0x1.ae7f3e733b81fp-41;
  q = q * z + 0x1.6124613a86d09p-33;
  q = q * z - 0x1.ae64567f544e4p-26;
  q = q * z + 0x1.71de3a556c734p-19;
  q = q * z - 0x1.a01a01a01a01ap-13;
  q = q * z + 0x1.1111111111111p-7;
  q = q * z - 0x1.5555555555555p-3;
  return t + t * (z * q);
}

[[gnu::always_inline]] inline double cosine_near_zero(double t) {
  const double z = t * t;
  double q = -0x1.6827863b97d97p-53;  // -1/18!
  q = q * z + 0x1.ae7f3e733b81fp-45;
  q = q * z - 0x1.93974a8c07c9dp-37;
  q = q * z + 0x1.1eed8eff8d898p-29;
  q = q * z - 0x1.27e4fb7789f5cp-22;
  q = q * z + 0x1.a01a01a01a01ap-16;
  q = q * z - 0x1.6c16c16c16c17p-10;
  q = q * z + 0x1.5555555555555p-5;
  q = q * z - 0.5;
  return 1 + z * q;
}

/// `value` times (-1)^n.
[[gnu::always_inline]] inline double alternate(double value, uint64_t n) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(value) ^ (n << 63));
}

/// The sine of an angle `turned` quarter turns further. theta's error counts at
/// most once in sine and 1.2 times, as theta tan theta < 1.14, in cosine.
[[gnu::always_inline]] inline double sine_of(Angle angle, uint64_t turned) {
  const uint64_t quadrant = angle.quadrant + turned;
  const double sine = sine_near_zero(angle.theta);
  const double cosine = cosine_near_zero(angle.theta);
  const double value = (quadrant & 1) != 0 ? cosine : sine;
  return alternate(value, (quadrant >> 1) & 1);
}

/// Below 6u * 1.14 + 4u.
template <typename Reduction>
struct SineKernel {
  static constexpr double kError = 0x1p-49;
  Reduction reduce = {};

  [[gnu::always_inline]] double operator()(double x) const {
    return alternate(sine_of(reduce(x), 0), std::bit_cast<uint64_t>(x) >> 63);
  }
};

template <typename Reduction>
struct CosineKernel {
  static constexpr double kError = 0x1p-49;
  Reduction reduce = {};

  [[gnu::always_inline]] double operator()(double x) const {
    return sine_of(reduce(x), 1);
  }
};

/// sin / cos or -cos / sin of theta: 6u counts at most 1.9 times, as tan's
/// condition is 2 theta / sin 2 theta; 2u, 4u and u come.
template <typename Reduction>
struct TanKernel {
  static constexpr double kError = 0x1p-48;
  Reduction reduce = {};

  [[gnu::always_inline]] double operator()(double x) const {
    const Angle angle = reduce(x);
    const bool odd = (angle.quadrant & 1) != 0;
    const double sine = sine_near_zero(angle.theta);
    const double cosine = cosine_near_zero(angle.theta);
    const double value = (odd ? cosine : sine) / (odd ? sine : cosine);
    const uint64_t sign = std::bit_cast<uint64_t>(x) >> 63;
    return alternate(value, sign ^ (angle.quadrant & 1));
  }
};

}  // namespace hlo::numeric
