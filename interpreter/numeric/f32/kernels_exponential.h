#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

// Kernels: doubles close to a real function, for every x that is a value of a
// format up to f32. A kernel's result y is f(x) (1 + e) with |e| < kError, or
// both lie far outside the range of these formats; it is a zero, an infinity or
// NaN only where f(x) is. They are one operation of IEEE after another, without
// branches, so that a loop over them becomes vector code.
//
// In the proofs u = 2^-53 is the rounding error of one operation.
namespace hlo::numeric {

struct ScaledExponential {
  double scale;      // 2^k
  double minus_one;  // exp(r) - 1
};

/// x with |x| <= limit, where a function has long reached its end.
[[gnu::always_inline]] inline double clamp_argument(double x, double limit) {
  const double above = x > -limit ? x : (x <= -limit ? -limit : x);
  return above > limit ? limit : above;
}

/// 2^k for the integer k that was rounded by adding kRoundToInteger, |k| <
/// 1022.
inline constexpr double kRoundToInteger = 0x1.8p52;

[[gnu::always_inline]] inline double power_of_two_of(double shifted) {
  return std::bit_cast<double>((std::bit_cast<uint64_t>(shifted) + 1023) << 52);
}

/// exp(r) - 1 for |r| < 0.347. The Taylor polynomial of degree 13 leaves out
/// less than |r|^14 / 14! < 2^-57 |r|, and its evaluation, r + r^2 q, is off by
/// less than 3u |r|: u for the sum, and as |r q| < 0.2, less than u for the
/// rest, which is off by 5u; |exp(r) - 1| >= 0.84 |r|. An error below 4u in
/// all.
[[gnu::always_inline]] inline double small_exponential_minus_one(double r) {
  const double z = r * r;
  double odd = 0x1.6124613a86d09p-33;  // 1/13!
  odd = odd * z + 0x1.ae64567f544e4p-26;
  odd = odd * z + 0x1.71de3a556c734p-19;
  odd = odd * z + 0x1.a01a01a01a01ap-13;
  odd = odd * z + 0x1.1111111111111p-7;
  odd = odd * z + 0x1.5555555555555p-3;
  double even = 0x1.1eed8eff8d898p-29;  // 1/12!
  even = even * z + 0x1.27e4fb7789f5cp-22;
  even = even * z + 0x1.a01a01a01a01ap-16;
  even = even * z + 0x1.6c16c16c16c17p-10;
  even = even * z + 0x1.5555555555555p-5;
  even = even * z + 0.5;
  return r + z * (even + r * odd);
}

/// x = k ln 2 + r with |r| < 0.347; |x| <= 700, any double.
///
/// k ln2_high is exact (11 + 42 bits), x minus it has an error of at most
/// u |r| + 2^-85, the last subtraction one of at most u |r|: r is off by less
/// than 2^-53, and not at all where k = 0.
[[gnu::always_inline]] inline ScaledExponential exponential_parts(double x) {
  constexpr double kPerLn2 = 0x1.71547652b82fep+0;
  constexpr double kHigh = 0x1.62e42fefa38p-1;
  constexpr double kLow = 0x1.ef35793c7673p-45;
  const double shifted = x * kPerLn2 + kRoundToInteger;
  const double k = shifted - kRoundToInteger;
  const double r = (x - k * kHigh) - k * kLow;
  return {power_of_two_of(shifted), small_exponential_minus_one(r)};
}

/// exp(r) >= 0.7: r's error counts at most u, minus_one's 4u * 0.42, the sum's
/// u. Beyond 700 every format up to f32 has long overflowed or underflowed.
struct ExponentialKernel {
  static constexpr double kError = 0x1p-50;

  [[gnu::always_inline]] double operator()(double x) const {
    const ScaledExponential parts = exponential_parts(clamp_argument(x, 700));
    return parts.scale + parts.scale * parts.minus_one;
  }
};

/// x = k + f, exactly, with |f| <= 1/2; f ln 2 is off by 2u |f ln 2| < 0.7u,
/// the rest as above.
struct Exponential2Kernel {
  static constexpr double kError = 0x1p-50;

  [[gnu::always_inline]] double operator()(double x) const {
    constexpr double kLn2 = 0x1.62e42fefa39efp-1;
    const double inside = clamp_argument(x, 1000);
    const double shifted = inside + kRoundToInteger;
    const double r = (inside - (shifted - kRoundToInteger)) * kLn2;
    const double scale = power_of_two_of(shifted);
    return scale + scale * small_exponential_minus_one(r);
  }
};

/// exp(x) - 1 for |x| <= 700. k = 0: minus_one itself. Else |exp(x) - 1| > 0.29
/// exp(x) and > 0.29, so that the absolute errors, below 2^-51 exp(x), weigh at
/// most four times as much: an error below 2^-48.
[[gnu::always_inline]] inline double exponential_minus_one(double x) {
  const ScaledExponential parts = exponential_parts(x);
  return parts.scale * parts.minus_one + (parts.scale - 1);
}

struct ExponentialMinusOneKernel {
  static constexpr double kError = 0x1p-48;

  [[gnu::always_inline]] double operator()(double x) const {
    return std::copysign(exponential_minus_one(clamp_argument(x, 700)), x);
  }
};

/// tanh x = e / (e + 2) for e = exp(2x) - 1 > 0: an error of e weighs at most
/// once, and two operations follow. 1 - tanh(20) < 2^-56.
struct TanhKernel {
  static constexpr double kError = 0x1p-47;

  [[gnu::always_inline]] double operator()(double x) const {
    const double a = std::abs(x);
    const double e = exponential_minus_one(a > 20 ? 40 : 2 * a);
    return std::copysign(e / (e + 2), x);
  }
};

/// 2^-50 for exp, and two operations on positive numbers.
struct LogisticKernel {
  static constexpr double kError = 0x1p-49;

  [[gnu::always_inline]] double operator()(double x) const {
    return 1 / (1 + ExponentialKernel()(-x));
  }
};

/// For x > 0 and e = exp(x) - 1, sinh x = (e + e / (e + 1)) / 2: an error of e
/// weighs at most once, and three operations follow.
struct SinhKernel {
  static constexpr double kError = 0x1p-47;

  [[gnu::always_inline]] double operator()(double x) const {
    const double a = std::abs(x);
    const double e = exponential_minus_one(a > 700 ? 700 : a);
    return std::copysign((e + e / (e + 1)) / 2, x);
  }
};

struct CoshKernel {
  static constexpr double kError = 0x1p-49;

  [[gnu::always_inline]] double operator()(double x) const {
    const double e = ExponentialKernel()(std::abs(x));
    return (e + 1 / e) / 2;
  }
};

}  // namespace hlo::numeric
