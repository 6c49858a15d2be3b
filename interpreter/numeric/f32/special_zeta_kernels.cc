#include "interpreter/numeric/f32/special_zeta_kernels.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "interpreter/numeric/f32/kernels_exponential.h"
#include "interpreter/numeric/f32/kernels_logarithm.h"

// zeta(s, q) and polygamma in double for formats up to f32: terms one by one,
// and Euler's and Maclaurin's sum for the rest. u = 2^-53; every bound is
// rounded up freely and doubled at the end, which covers its own roundings.
namespace hlo::numeric {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnit = 0x1p-53;
constexpr Ends kUnknown = {-kInfinity, kInfinity};
constexpr int kMostTerms = 80;
constexpr double kMostOrder = 2048;

// |B_2k| / (2k)!
constexpr std::array<double, 10> kBernoulli = {
    1.0 / 12,
    1.0 / 720,
    1.0 / 30240,
    1.0 / 1209600,
    1.0 / 47900160,
    691.0 / 1307674368000.0,
    1.0 / 74724249600,
    3617.0 / 10670622842880000.0,
    43867.0 / 5109094217170944000.0,
    174611.0 / 802857662698291200000.0};

bool is_integer(double x) { return std::floor(x) == x; }

// A sum, the magnitudes of what was added, and what those may be off by. Terms
// above exp(700) are left to `far`, which has their sign.
struct Sum {
  double value = 0;
  double size = 0;
  double error = 0;
  double far = 0;

  void add(double part, double relative_error) {
    value += part;
    size += std::abs(part);
    error += std::abs(part) * relative_error;
  }

  // Whether it lies beyond every format, on one side.
  bool is_far() const {
    constexpr double kMuch = 0x1p500;
    return std::abs(far) == 1 && size + error < kMuch;
  }

  // Fewer than 2^7 additions have rounded.
  double bound() const { return error + size * (kUnit * 0x1p7); }
};

// |base|^-s. With L = log|base|, off by 2^-50 and, as the base may be rounded,
// by u: s L is off by |s L| (2^-50 + u) + s u, and the power by the kernel's
// 2^-50 and as much.
struct Power {
  Power(double base, double s) : exponent(-s * LogKernel()(std::abs(base))) {
    constexpr double kEnd = 700;
    value = exponent > -kEnd ? ExponentialKernel()(exponent) : 0;
    is_far = exponent >= kEnd;
    error = (2 + std::abs(exponent)) * 0x1p-49 + s * 0x1p-52;
  }

  double exponent;
  double value;  // 0 below exp(-700), which is left out
  double error;  // relative
  bool is_far;
};

// The sum of (a + n)^-s, less than its remainder, which is smaller than the
// first term that is left out (hurwitz.cc): a^-s times
// a/(s-1) + 1/2 + T_1 - T_2 + ..., T_k = |B_2k|/(2k)! s ... (s+2k-2) a^(1-2k),
// each with fewer than 40 roundings.
void add_rest(Sum& sum, double s, double a) {
  const Power power(a, s);
  const double relative = power.error + 64 * kUnit;
  sum.add(power.value * (a / (s - 1)), relative);
  sum.add(power.value / 2, relative);
  double product = s / a;
  for (size_t k = 1; k < kBernoulli.size(); ++k) {
    const double term = power.value * (kBernoulli[k - 1] * product);
    sum.add(k % 2 != 0 ? term : -term, relative);
    const auto twice = static_cast<double>(2 * k);
    product *= (s + twice - 1) / a * ((s + twice) / a);
  }
  sum.error += 2 * power.value * (kBernoulli.back() * product);
}

// zeta(s, q) for s > 1, which is an integer where q < 0; q is no pole.
Sum hurwitz(double s, double q) {
  constexpr double kNothing = 0x1p-60;
  const bool alternates = q < 0 && !is_integer(s / 2);
  // What powers below exp(-700) may add up to.
  Sum sum;
  sum.error = 0x1p-900;
  for (int n = 0; n < kMostTerms; ++n) {
    const double base = q + n;
    if (base >= s + 10) {
      add_rest(sum, s, base);
      return sum;
    }
    const Power power(base, s);
    const double sign = base < 0 && alternates ? -1 : 1;
    if (power.is_far) {
      sum.far += sign;
      continue;
    }
    sum.add(sign * power.value, power.error);
    // All that follow are less than this term times 1 + base / (s - 1).
    const double rest = power.value * (1 + base / (s - 1));
    const double enough = sum.far != 0 ? 1 : std::abs(sum.value) * kNothing;
    if (base > 0 && n > 0 && rest < enough) {
      sum.error += rest;
      return sum;
    }
  }
  return {.error = kInfinity};
}

// factor times the sum; the factor is off by at most 2^8 u.
Ends ends_of_sum(const Sum& sum, double factor) {
  if (sum.is_far()) {
    constexpr double kFar = 0x1p600;
    const bool negative = sum.far * factor < 0;
    return negative ? Ends{-kInfinity, -kFar} : Ends{kFar, kInfinity};
  }
  const double value = sum.value * factor;
  const double error =
      std::abs(factor) * sum.bound() + std::abs(value) * (kUnit * 0x1p9);
  // Ends of two signs may both overflow to one NaN.
  const bool known =
      sum.far == 0 && std::isfinite(value) && 2 * error < std::abs(value);
  return known ? Ends{value - 2 * error, value + 2 * error} : kUnknown;
}

bool is_usual(double s, double q) {
  if (!(s > 1 && s < kMostOrder) || !std::isfinite(q)) return false;
  return q > 0 || (q > -kMostTerms && is_integer(s) && !is_integer(q));
}

}  // namespace

Ends zeta_ends(double s, double q) {
  return is_usual(s, q) ? ends_of_sum(hurwitz(s, q), 1) : kUnknown;
}

// (-1)^(n+1) n! zeta(n + 1, x)
Ends polygamma_ends(double n, double x) {
  constexpr double kMostFactorial = 150;
  if (!(n >= 0 && n <= kMostFactorial) || !is_integer(n)) return kUnknown;
  if (n == 0) return digamma_ends(x);
  if (!is_usual(n + 1, x)) return kUnknown;
  double factor = is_integer(n / 2) ? -1 : 1;
  for (int i = 2; i <= n; ++i) factor *= i;
  return ends_of_sum(hurwitz(n + 1, x), factor);
}

Ends2Of ends_of(Function2 function) {
  switch (function) {
    case Function2::kZeta:
      return zeta_ends;
    case Function2::kPolygamma:
      return polygamma_ends;
    default:
      return nullptr;
  }
}

}  // namespace hlo::numeric
