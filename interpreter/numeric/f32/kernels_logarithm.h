#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// Kernels (see kernels_exponential.h) of logarithms and what is made of them.
namespace hlo::numeric {

struct LogarithmParts {
  double k;  // an integer
  double m;  // in [sqrt(1/2), sqrt 2)
};

/// x = 2^k m for a positive normal double.
[[gnu::always_inline]] inline LogarithmParts logarithm_parts(double x) {
  constexpr uint64_t kRootHalf = 0x3fe6a09e667f3bcd;
  constexpr uint64_t kFraction = (uint64_t{1} << 52) - 1;
  constexpr uint64_t kBias = 1024;  // makes k positive
  constexpr uint64_t kTwo52 = 0x4330000000000000;
  const uint64_t shifted =
      std::bit_cast<uint64_t>(x) - kRootHalf + (kBias << 52);
  return {std::bit_cast<double>((shifted >> 52) | kTwo52) - (0x1p52 + kBias),
          std::bit_cast<double>((shifted & kFraction) + kRootHalf)};
}

/// 2 artanh(numerator / denominator) for a quotient below 0.172, each of the
/// two being off by at most u: s by 2u, or 3u where both are. The series to
/// s^21 leaves out less than 2^-55 of it; after 2 s all terms together are
/// below 0.0102, so that their errors weigh less than 0.2u. The sum adds u:
/// below 3.3u, or 4.3u.
[[gnu::always_inline]] inline double twice_artanh(double numerator,
                                                  double denominator) {
  const double s = numerator / denominator;
  const double z = s * s;
  const double w = z * z;
  double odd = 0x1.8618618618618p-5;  // 1/21
  odd = odd * w + 0x1.e1e1e1e1e1e1ep-5;
  odd = odd * w + 0x1.3b13b13b13b14p-4;
  odd = odd * w + 0x1.c71c71c71c71cp-4;
  odd = odd * w + 0x1.999999999999ap-3;
  double even = 0x1.af286bca1af28p-5;  // 1/19
  even = even * w + 0x1.1111111111111p-4;
  even = even * w + 0x1.745d1745d1746p-4;
  even = even * w + 0x1.2492492492492p-3;
  even = even * w + 0x1.5555555555555p-2;
  return 2 * s + 2 * s * (z * (even + z * odd));
}

/// log m = 2 artanh((m - 1) / (m + 1)), and m - 1 is exact.
[[gnu::always_inline]] inline double log_of_m(double m) {
  return twice_artanh(m - 1, m + 1);
}

/// `value` where x is positive and finite, else the logarithm's limits.
[[gnu::always_inline]] inline double with_log_limits(double x, double value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const double finite = x < kInfinity ? value : x;
  const double at_most_zero = x == 0 ? -kInfinity : kNan;
  return x > 0 ? finite : at_most_zero;
}

/// k * high + (k * low + log_m) for a constant whose high part has 42 bits: the
/// first product is exact. With k = 0 that is log_m. Else |k * constant +
/// log_m| is at least |log_m| and at least 0.49 times the constant, so that no
/// error grows: u each for the two sums, less for the second product.
[[gnu::always_inline]] inline double sum_of_parts(double k, double high,
                                                  double low, double log_m) {
  return k * high + (k * low + log_m);
}

inline constexpr double kLn2High = 0x1.62e42fefa38p-1;
inline constexpr double kLn2Low = 0x1.ef35793c7673p-45;

/// Below 3.3u + 3u. x may be any double.
struct LogKernel {
  static constexpr double kError = 0x1p-50;

  [[gnu::always_inline]] double operator()(double x) const {
    const auto [k, m] = logarithm_parts(x);
    return with_log_limits(x, sum_of_parts(k, kLn2High, kLn2Low, log_of_m(m)));
  }
};

/// Two roundings more, for the constant and the product by it.
struct Log2Kernel {
  static constexpr double kError = 0x1p-49;

  [[gnu::always_inline]] double operator()(double x) const {
    constexpr double kPerLn2 = 0x1.71547652b82fep+0;
    const auto [k, m] = logarithm_parts(x);
    return with_log_limits(x, k + log_of_m(m) * kPerLn2);
  }
};

struct Log10Kernel {
  static constexpr double kError = 0x1p-49;

  [[gnu::always_inline]] double operator()(double x) const {
    constexpr double kPerLn10 = 0x1.bcb7b1526e50ep-2;
    constexpr double kLog2High = 0x1.34413509f78p-2;
    constexpr double kLog2Low = 0x1.fef311f12b358p-46;
    const auto [k, m] = logarithm_parts(x);
    return with_log_limits(
        x, sum_of_parts(k, kLog2High, kLog2Low, log_of_m(m) * kPerLn10));
  }
};

/// log(1 + x) for any double x. With k = 0, 1 + x in [sqrt(1/2), sqrt 2), it is
/// 2 artanh(x / (2 + x)): 3.3u. Else 1 + x is off by u, which log takes as an
/// absolute error; |log| >= 0.34, so that it counts 3u: 10u.
struct LogPlusOneKernel {
  static constexpr double kError = 0x1p-49;

  [[gnu::always_inline]] double operator()(double x) const {
    const double sum = 1 + x;
    const auto [k, m] = logarithm_parts(sum);
    const bool near = k == 0;
    const double log_m = twice_artanh(near ? x : m - 1, near ? 2 + x : m + 1);
    const double value = sum_of_parts(k, kLn2High, kLn2Low, log_m);
    return with_log_limits(sum, near ? log_m : value);
  }
};

/// With a = |x|: log1p(a + a^2 / (1 + sqrt(1 + a^2))). The square is exact, the
/// quotient off by less than 4u, the sum of positive numbers by 5u; log1p does
/// not enlarge relative errors of positive numbers, as v / (1 + v) <= log1p(v).
struct AsinhKernel {
  static constexpr double kError = 0x1p-48;

  [[gnu::always_inline]] double operator()(double x) const {
    const double a = std::abs(x);
    const double square = a * a;
    const double v = a + square / (1 + std::sqrt(1 + square));
    const double value = LogPlusOneKernel()(v);
    return a < std::numeric_limits<double>::infinity() ? std::copysign(value, x)
                                                       : x;
  }
};

/// log1p(t + sqrt(t (x + 1))) for t = x - 1: u for t and for x + 1, 3u for the
/// product, 2.5u for the root, 3.5u for the sum of positive numbers.
struct AcoshKernel {
  static constexpr double kError = 0x1p-48;

  [[gnu::always_inline]] double operator()(double x) const {
    const double t = x - 1;
    const double value = LogPlusOneKernel()(t + std::sqrt(t * (x + 1)));
    return x >= 1 ? value : std::numeric_limits<double>::quiet_NaN();
  }
};

/// log1p(2a / (1 - a)) / 2 for a = |x|: 2u before log1p. a > 1 gives a number
/// below -2, where log1p is NaN.
struct AtanhKernel {
  static constexpr double kError = 0x1p-48;

  [[gnu::always_inline]] double operator()(double x) const {
    const double a = std::abs(x);
    return std::copysign(LogPlusOneKernel()(2 * a / (1 - a)) / 2, x);
  }
};

}  // namespace hlo::numeric
