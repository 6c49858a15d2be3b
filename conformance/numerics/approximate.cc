#include "conformance/numerics/approximate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace hlo::conformance {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Steps of Halley's method from a guess that is off by less than 1 %.
long double solve_erf(long double a, long double guess) {
  constexpr int kSteps = 3;
  long double y = guess;
  for (int i = 0; i < kSteps; ++i) {
    const long double rest =
        a < 0.5L ? std::erf(y) - a : (1 - a) - std::erfc(y);
    const long double slope =
        2 * std::numbers::inv_sqrtpi_v<long double> * std::exp(-y * y);
    y -= rest / (slope + y * rest);
  }
  return y;
}

// Winitzki's formula.
long double guess_erf_inv(long double a) {
  constexpr long double kFit = 0.147L;
  if (a < 0.125L) return a / (2 * std::numbers::inv_sqrtpi_v<long double>);
  const long double log = std::log((1 - a) * (1 + a));
  const long double half =
      2 / (std::numbers::pi_v<long double> * kFit) + log / 2;
  return std::sqrt(std::sqrt(half * half - log / kFit) - half);
}

// The parts of a sum that may cancel, and the largest of them.
struct Sum {
  long double value = 0;
  long double largest = 0;

  void add(long double part) {
    value += part;
    largest = std::max(largest, std::fabs(part));
  }

  // The parts are off by less than 2^-60 each.
  double result() const {
    constexpr long double kKept = 0x1p-8L;
    return std::fabs(value) < largest * kKept ? kUnknown
                                              : static_cast<double>(value);
  }
};

// digamma at x > 0: from x + n >= 20 on, log(x) - 1/(2x) - B_2k / (2k x^2k).
void add_digamma(Sum& sum, long double x) {
  constexpr std::array<long double, 10> kTerms = {
      1.0L / 12,        -1.0L / 120,      1.0L / 252, -1.0L / 240,
      1.0L / 132,       -691.0L / 32760,  1.0L / 12,  -3617.0L / 8160,
      43867.0L / 14364, -174611.0L / 6600};
  constexpr long double kFar = 20;
  while (x < kFar) {
    sum.add(-1 / x);
    x += 1;
  }
  sum.add(std::log(x));
  sum.add(-1 / (2 * x));
  long double power = 1;
  for (const long double term : kTerms) {
    power /= x * x;
    sum.add(-term * power);
  }
}

}  // namespace

double approximate_erf_inv(double x) {
  const long double a = std::fabs(x);
  if (!(a < 1)) return kUnknown;
  if (a == 0) return x;
  const long double y = solve_erf(a, guess_erf_inv(a));
  return static_cast<double>(std::copysign(y, static_cast<long double>(x)));
}

// The C library's, which is good near its zeros too; it has no global sign.
double approximate_lgamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

// For x < 0 by reflection: digamma(1 - x) - pi / tan(pi x).
double approximate_digamma(double x) {
  constexpr double kNear = 0x1p60;
  if (!(std::fabs(x) < kNear) || x == 0) return kUnknown;
  Sum sum;
  if (x > 0) {
    add_digamma(sum, x);
    return sum.result();
  }
  const double fraction = x - std::nearbyint(x);
  if (fraction == 0) return kUnknown;
  constexpr auto kPi = std::numbers::pi_v<long double>;
  add_digamma(sum, 1 - static_cast<long double>(x));
  // At halves the tangent is infinite.
  const long double quotient =
      std::fabs(fraction) == 0.5 ? 0 : kPi / std::tan(kPi * fraction);
  sum.add(-quotient);
  return sum.result();
}

double approximate_bessel_i1e(double x) {
  constexpr long double kFar = 32;
  constexpr long double kSmall = 0x1p-68L;
  const long double a = std::fabs(x);
  if (std::isnan(x)) return kUnknown;
  long double sum = 1;
  long double term = 1;
  if (a < kFar) {
    for (int k = 1; term > sum * kSmall; ++k) {
      term *= a * a / (4.0L * k * (k + 1));
      sum += term;
    }
    sum *= a / 2 * std::exp(-a);
  } else {
    for (int k = 1; std::fabs(term) > kSmall; ++k) {
      term *= ((2.0L * k - 1) * (2.0L * k - 1) - 4) / (8 * k * a);
      sum += term;
    }
    sum /= std::sqrt(2 * std::numbers::pi_v<long double> * a);
  }
  return static_cast<double>(std::copysign(sum, static_cast<long double>(x)));
}

}  // namespace hlo::conformance
