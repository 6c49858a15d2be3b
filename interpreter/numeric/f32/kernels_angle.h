#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

// Kernels (see kernels_exponential.h) of the inverse trigonometric functions.
namespace hlo::numeric {

inline constexpr double kPi = 0x1.921fb54442d18p+1;

/// atan a for a double a >= 0 or infinity, by the angles 0, pi/4 and pi/2: the
/// rest is the arc of t with |t| < 0.4143, which is off by at most 3u (a - 1 by
/// u where it is not exact, a + 1, the quotient).
///
/// atan t = t + t z q for z = t^2 <= 0.1717. The alternating series to t^37
/// leaves out less than z^19 / 39 < u. |z q| < 0.058: its error, 7u for z and
/// 5u for the rest, weighs less than 0.7u; the sum adds u: 6u in all, as 3u of
/// t weigh at most that. With a base the result is at least pi/8 >= |atan t|;
/// the base is off by u/2 of twice the result, the sum by u: 8u.
[[gnu::always_inline]] inline double arc_of_tangent(double a) {
  constexpr double kTanPi8 = 0x1.a827999fcef32p-2;
  constexpr double kTan3Pi8 = 0x1.3504f333f9de6p+1;
  const bool middle = a > kTanPi8;
  const bool large = a > kTan3Pi8;
  const double above = middle ? a - 1 : a;
  const double below = middle ? a + 1 : 1;
  const double base = middle ? kPi / 4 : 0;
  const double t = (large ? -1 : above) / (large ? a : below);
  const double z = t * t;
  const double w = z * z;
  double plus = 0x1.bacf914c1bad0p-6;  // 1/37
  plus = plus * w + 0x1.f07c1f07c1f08p-6;
  plus = plus * w + 0x1.1a7b9611a7b96p-5;
  plus = plus * w + 0x1.47ae147ae147bp-5;
  plus = plus * w + 0x1.8618618618618p-5;
  plus = plus * w + 0x1.e1e1e1e1e1e1ep-5;
  plus = plus * w + 0x1.3b13b13b13b14p-4;
  plus = plus * w + 0x1.c71c71c71c71cp-4;
  plus = plus * w + 0x1.999999999999ap-3;
  double minus = 0x1.d41d41d41d41dp-6;  // 1/35
  minus = minus * w + 0x1.0842108421084p-5;
  minus = minus * w + 0x1.2f684bda12f68p-5;
  minus = minus * w + 0x1.642c8590b2164p-5;
  minus = minus * w + 0x1.af286bca1af28p-5;
  minus = minus * w + 0x1.1111111111111p-4;
  minus = minus * w + 0x1.745d1745d1746p-4;
  minus = minus * w + 0x1.2492492492492p-3;
  minus = minus * w + 0x1.5555555555555p-2;
  const double q = z * plus - minus;
  return (large ? kPi / 2 : base) + (t + t * (z * q));
}

struct AtanKernel {
  static constexpr double kError = 0x1p-49;

  [[gnu::always_inline]] double operator()(double x) const {
    return std::copysign(arc_of_tangent(std::abs(x)), x);
  }
};

/// atan(a / sqrt((1 - a) (1 + a))) for a = |x|: 3u for the product, 2.5u for
/// the root, 3.5u for the quotient, of which atan makes no more; 8u. a > 1 has
/// a NaN for its root.
struct AsinKernel {
  static constexpr double kError = 0x1p-48;

  [[gnu::always_inline]] double operator()(double x) const {
    const double a = std::abs(x);
    const double arc = arc_of_tangent(a / std::sqrt((1 - a) * (1 + a)));
    return std::copysign(arc, x);
  }
};

/// 2 atan(sqrt((1 - x) / (1 + x))): 3u for the quotient, 2.5u for the root, 8u.
struct AcosKernel {
  static constexpr double kError = 0x1p-48;

  [[gnu::always_inline]] double operator()(double x) const {
    return 2 * arc_of_tangent(std::sqrt((1 - x) / (1 + x)));
  }
};

/// The angle of the point (x, y). The quotient is off by u and neither
/// overflows nor underflows; 9u, and for x < 0 the errors of pi and of the
/// difference, which is at least pi/2: 11u.
struct Atan2Kernel {
  static constexpr double kError = 0x1p-48;

  [[gnu::always_inline]] double operator()(double y, double x) const {
    const double ay = std::abs(y);
    const double ax = std::abs(x);
    const double quotient = ay == ax ? 1 : ay / ax;
    const double arc = arc_of_tangent(ay == 0 ? 0 : quotient);
    const bool left = std::bit_cast<uint64_t>(x) >> 63 != 0;
    const double angle = std::copysign(left ? kPi - arc : arc, y);
    return std::isnan(x) ? x : angle;
  }
};

}  // namespace hlo::numeric
