#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// Doubles within a relative error of 2^-45 of the real functions, for every x
// that is a value of a format up to f32; NaN where a special value is due. They
// are inline so that the loops over arrays can hold them.
//
// u = 2^-53 is the rounding error of one operation.
namespace hlo::numeric {

struct ExponentialParts {
  double scale;      // 2^k
  double minus_one;  // exp(r) - 1
};

// x = k ln 2 + r with |r| < 0.347; |x| <= 700.
//
// k ln2_high is exact (11 + 42 bits), x minus it has an error of at most
// u |r| + 2^-85, the last subtraction one of at most u |r|: r is off by less
// than 2^-53, and not at all where k = 0. The Taylor polynomial of degree 13
// leaves out less than |r|^14 / 14! < 2^-57 |r|, and its evaluation is off by
// less than 3u |r|. So minus_one is off by less than 2^-51 |r| + 2^-52
// |k|/(|k|+1).
inline ExponentialParts exponential_parts(double x) {
  constexpr double kPerLn2 = 0x1.71547652b82fep+0;
  constexpr double kLn2High = 0x1.62e42fefa38p-1;
  constexpr double kLn2Low = 0x1.ef35793c7673p-45;
  constexpr double kRound = 0x1.8p52;  // its last bit is worth 1
  const double shifted = x * kPerLn2 + kRound;
  const double k = shifted - kRound;
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double q = 0x1.6124613a86d09p-33;  // 1/13!
  q = q * r + 0x1.1eed8eff8d898p-29;
  q = q * r + 0x1.ae64567f544e4p-26;
  q = q * r + 0x1.27e4fb7789f5cp-22;
  q = q * r + 0x1.71de3a556c734p-19;
  q = q * r + 0x1.a01a01a01a01ap-16;
  q = q * r + 0x1.a01a01a01a01ap-13;
  q = q * r + 0x1.6c16c16c16c17p-10;
  q = q * r + 0x1.1111111111111p-7;
  q = q * r + 0x1.5555555555555p-5;
  q = q * r + 0x1.5555555555555p-3;
  q = q * r + 0.5;
  const uint64_t scale = (std::bit_cast<uint64_t>(shifted) + 1023) << 52;
  return {std::bit_cast<double>(scale), r + r * r * q};
}

inline double clamp_argument(double x, double limit) {
  const double above = x > -limit ? x : (x <= -limit ? -limit : x);
  return above > limit ? limit : above;
}

// exp(r) >= 0.7: an error below 2^-50. Beyond 700 every format up to f32 has
// long overflowed or underflowed.
inline double exponential_kernel(double x) {
  const ExponentialParts parts = exponential_parts(clamp_argument(x, 700));
  return parts.scale + parts.scale * parts.minus_one;
}

// k = 0: minus_one itself. Else |exp(x) - 1| > 0.29 exp(x) and > 0.29, so that
// the absolute errors, below 2^-51 exp(x), weigh at most four times as much.
inline double exponential_minus_one_kernel(double x) {
  const ExponentialParts parts = exponential_parts(clamp_argument(x, 700));
  const double value = parts.scale * parts.minus_one + (parts.scale - 1);
  return std::copysign(value, x);
}

// tanh x = e / (e + 2) for e = exp(2x) - 1 > 0: an error of e weighs at most
// once, and two operations follow. 1 - tanh(20) < 2^-56.
inline double tanh_kernel(double x) {
  const double e =
      exponential_minus_one_kernel(2 * clamp_argument(std::abs(x), 20));
  return std::copysign(e / (e + 2), x);
}

inline double logistic_kernel(double x) {
  return 1 / (1 + exponential_kernel(-x));
}

// x = 2^k m with m in [sqrt(1/2), sqrt 2); log m = 2 artanh s for
// s = (m - 1) / (m + 1), |s| < 0.172. m - 1 is exact, s is off by 2u; the
// series to s^21 leaves out less than 2^-55 of it. With k = 0 the sum is
// log m alone; else |log x| > 0.34 >= |log m|, so that no error grows.
inline double log_kernel(double x) {
  constexpr uint64_t kRootHalf = 0x3fe6a09e667f3bcd;
  constexpr uint64_t kFraction = (uint64_t{1} << 52) - 1;
  constexpr double kLn2High = 0x1.62e42fefa38p-1;
  constexpr double kLn2Low = 0x1.ef35793c7673p-45;
  if (!(x > 0 && x <= std::numeric_limits<double>::max())) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const uint64_t shifted = std::bit_cast<uint64_t>(x) - kRootHalf;
  const auto k = static_cast<double>(static_cast<int64_t>(shifted) >> 52);
  const auto m = std::bit_cast<double>((shifted & kFraction) + kRootHalf);
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double q = 0x1.8618618618618p-5;  // 1/21
  q = q * z + 0x1.af286bca1af28p-5;
  q = q * z + 0x1.e1e1e1e1e1e1ep-5;
  q = q * z + 0x1.1111111111111p-4;
  q = q * z + 0x1.3b13b13b13b14p-4;
  q = q * z + 0x1.745d1745d1746p-4;
  q = q * z + 0x1.c71c71c71c71cp-4;
  q = q * z + 0x1.2492492492492p-3;
  q = q * z + 0x1.999999999999ap-3;
  q = q * z + 0x1.5555555555555p-2;
  const double log_m = 2 * s + 2 * s * (z * q);
  return k * kLn2High + (k * kLn2Low + log_m);
}

// Two correctly rounded operations: 2u.
inline double rsqrt_kernel(double x) { return 1 / std::sqrt(x); }

}  // namespace hlo::numeric
