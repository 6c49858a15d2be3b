#include "interpreter/numeric/f32/special_kernels.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "interpreter/numeric/f32/kernels_erfc.h"
#include "interpreter/numeric/f32/kernels_exponential.h"
#include "interpreter/numeric/f32/kernels_logarithm.h"
#include "interpreter/numeric/f32/special_coefficients.h"

// u = 2^-53 is the rounding error of one operation. Bounds are doubled where
// they become ends, which covers the roundings of bound and ends. What the
// polynomials leave out is below u of their value, as
// generators/special_coefficients.py proves.
namespace hlo::numeric {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 0x1.921fb54442d18p+1;
constexpr double kUnit = 0x1p-53;

struct Bounded {
  double value;
  double error;  // absolute
};

Ends around(Bounded number) {
  return {number.value - 2 * number.error, number.value + 2 * number.error};
}

Ends exactly(double value) { return {value, value}; }

double log_of(double x) { return LogKernel()(x); }

// For |x| < 2^51.
double nearest_integer(double x) {
  return (x + kRoundToInteger) - kRoundToInteger;
}

// Horner's rule for the even and the odd powers: the k-th term, counted from 0,
// goes through k + 2 operations and k/2 roundings of x^2, and its coefficient
// is off by u: at most (2k + 3) u.
template <size_t count, size_t n>
double first_terms(const std::array<double, n>& coefficients, double x) {
  static_assert(count <= n);
  constexpr size_t kEven = (count - 1) / 2 * 2;  // the highest even power
  constexpr size_t kOdd = count / 2 * 2 - 1;
  const double square = x * x;
  double even = coefficients[kEven];
  for (size_t k = kEven; k > 0; k -= 2) {
    even = even * square + coefficients[k - 2];
  }
  double odd = coefficients[kOdd];
  for (size_t k = kOdd; k > 1; k -= 2) {
    odd = odd * square + coefficients[k - 2];
  }
  return even + x * odd;
}

template <size_t n>
double polynomial(const std::array<double, n>& coefficients, double x) {
  return first_terms<n>(coefficients, x);
}

// sin(pi r) for 0 <= r <= 1/2. At 1/2 the terms are 1.58, 0.65, 0.08, ... times
// the sum, of which the k-th is off by at most (3k + 3) u: below 12u.
double sine_of_pi(double r) { return r * polynomial(kSineOfPi, r * r); }

// lgamma(2 + t), |t| <= 1/2. The quotient by t has terms 0.42, 0.32 t, 0.07
// t^2,
// ... of which the k-th is off by at most (2k + 1) u: below 2u |t|, taken
// as 12.
double lgamma_at_two(double t) { return t * polynomial(kLgammaAtTwo, t); }

// LogKernel is off by less than 2^-49 = 16u of itself, and by the relative
// error of its argument.
constexpr double kLog = 16 * kUnit;

// x > 0. Below 1/2: lgamma(2 + x) - log(x (1 + x)), whose argument is off by
// 2u. Up to 3/2: log(1 + t) keeps its relative error, |log(1 + t)| < 1.4 |t|,
// so that all errors are below 40u |t|.
Bounded lgamma_below(double x) {
  if (x < 0.5) {
    const double log = log_of(x * (1 + x));
    return {lgamma_at_two(x) - log,
            (kLog + kUnit) * std::abs(log) + 10 * kUnit};
  }
  const double t = x - 1;
  return {lgamma_at_two(t) - log_of(x), 40 * kUnit * std::abs(t)};
}

// 5/2 < x < 9: Gamma(x) = (x - 1) ... (x - k) Gamma(2 + t). The factors are
// exact, their product off by at most 6u, lgamma(2 + t) by 6u.
Bounded lgamma_middle(double x) {
  double factor = 1;
  double rest = x;
  while (rest > 2.5) {
    rest -= 1;
    factor *= rest;
  }
  const double log = log_of(factor);
  return {lgamma_at_two(rest - 2) + log, (kLog + kUnit) * log + 14 * kUnit};
}

// Stirling: each of the three parts is below x log x, where x >= 8.5.
Bounded lgamma_above(double x) {
  constexpr double kHalfLogTwoPi = 0x1.d67f1c864beb5p-1;
  const double log = log_of(x);
  const double inverse = 1 / x;
  const double tail = inverse * polynomial(kStirling, inverse * inverse);
  const double value = ((x - 0.5) * log - x) + (kHalfLogTwoPi + tail);
  return {value, (kLog + 5 * kUnit) * x * log};
}

Bounded lgamma_of_positive(double x) {
  if (x < 1.5) return lgamma_below(x);
  if (x <= 2.5) return {lgamma_at_two(x - 2), 12 * kUnit * std::abs(x - 2)};
  return x < 9 ? lgamma_middle(x) : lgamma_above(x);
}

// |Gamma(-a)| = pi / (a |sin(pi a)| Gamma(a)); below 1/2, where Gamma(a) nears
// 1/a, Gamma(2 + a) / (1 + a) stands for a Gamma(a). The logarithm's argument
// has five errors beside the sine's: below 20u.
Bounded lgamma_of_negative(double a) {
  const double sine = sine_of_pi(std::abs(a - nearest_integer(a))) / kPi;
  if (a < 0.5) {
    const double log = log_of(sine / (1 + a));
    return {-(lgamma_at_two(a) + log),
            (kLog + kUnit) * std::abs(log) + 30 * kUnit};
  }
  const Bounded other = lgamma_of_positive(a);
  const double log = log_of(a * sine);
  return {-(other.value + log), other.error + kUnit * std::abs(other.value) +
                                    (kLog + kUnit) * std::abs(log) +
                                    20 * kUnit};
}

// x > 0: log y - 1/(2y) - ... at y = x + m >= 10, less 1/x + ... + 1/(y - 1),
// positive numbers whose sum is off by at most 2 m u, m <= 10. x + 1, x + 2,
// ... are exact, or are off by at most 37u in all, which weigh 11u: x < 2^-28
// then, or x is 1 + a number that is, and the sum is above 2.8.
Bounded digamma_of_positive(double x) {
  double sum = 0;
  double y = x;
  while (y < 10) {
    sum += 1 / y;
    y += 1;
  }
  const double log = log_of(y);
  const double inverse = 1 / y;
  const double square = inverse * inverse;
  const double tail = 0.5 * inverse + square * polynomial(kDigamma, square);
  return {(log - tail) - sum, (kLog + 8 * kUnit) * log + 24 * kUnit * sum};
}

// digamma(-a) = digamma(1 + a) + pi cot(pi a).
Bounded digamma_of_negative(double a) {
  const double r = a - nearest_integer(a);
  const double distance = std::abs(r);
  const double cotangent =
      std::copysign(kPi * sine_of_pi(0.5 - distance) / sine_of_pi(distance), r);
  const Bounded other = digamma_of_positive(1 + a);
  return {other.value + cotangent,
          other.error + 2 * kUnit +
              kUnit * (std::abs(other.value) + 30 * std::abs(cotangent))};
}

bool is_pole(double x) {
  constexpr double kAllIntegers = -0x1p24;  // of the formats up to f32
  return x <= kAllIntegers || (x <= 0 && nearest_integer(x) == x);
}

// y + d + y d^2 + (1 + 4 y^2)/3 d^3 for the guess y, a float, and d =
// (erfc(y) - c) sqrt(pi)/2 exp(y^2); y^2 is exact. The function of d has y' =
// exp(y(d)^2 - y^2) and a fourth derivative of (28 y + 48 y^3) y'^4: for y < 4
// and |d| <= 2^-17 less than 2^-60 is left out. erfc(y) is off by 2^-48 of
// itself, and exp(y^2) erfc(y) < 0.81 for y > 0.2: 24u in d, and less than 20u
// in the sums and in the other factors of d.
Bounded erf_inv_by_newton(double c) {
  constexpr double kMiddle = 2.3;
  constexpr double kHalf = 1.78;
  constexpr double kHalfRootPi = 0x1.c5bf891b4ef6bp-1;
  constexpr double kNear = 0x1p-17;
  const double s = (std::sqrt(-log_of(c)) - kMiddle) / kHalf;
  const double y = static_cast<float>(polynomial(kErfInvGuess, s));
  const double square = y * y;
  const double d =
      (ErfcKernel()(y) - c) * (kHalfRootPi * ExponentialKernel()(square));
  const double third = (1 + 4 * square) / 3;
  const double value = y + (d + d * d * (y + third * d));
  const bool near = std::abs(d) <= kNear && y > 0.2 && y < 4;
  return {value, near ? 64 * kUnit : kInfinity};
}

Bounded with_sign_of(double x, Bounded number) {
  return {std::copysign(number.value, x), number.error};
}

// exp(-a) is off by 2^-50 = 8u; z = a^2 / 4 is exact, and Horner's rule for
// positive terms is off by less than 2u for each of them: 2 * 50 + 12 units.
Bounded bessel_by_powers(double a) {
  const double z = a * a / 4;
  const double series =
      a <= 8 ? first_terms<25>(kBessel, z) : polynomial(kBessel, z);
  const double value = a / 2 * ExponentialKernel()(-a) * series;
  return {value, 112 * kUnit * value};
}

// The terms after 1 add up to less than 0.02 in magnitude.
Bounded bessel_by_asymptote(double a) {
  const double series = polynomial(kBesselAsymptote, 1 / a);
  const double value = series / std::sqrt(2 * kPi * a);
  return {value, 8 * kUnit * value};
}

}  // namespace

Ends lgamma_ends(double x) {
  if (std::isnan(x)) return exactly(x);
  if (is_pole(x) || std::isinf(x)) return exactly(kInfinity);
  return around(x > 0 ? lgamma_of_positive(x) : lgamma_of_negative(-x));
}

Ends digamma_ends(double x) {
  if (x == 0) return exactly(std::signbit(x) ? kInfinity : -kInfinity);
  if (is_pole(x)) return exactly(kNan);
  if (std::isnan(x) || std::isinf(x)) return exactly(x);
  return around(x > 0 ? digamma_of_positive(x) : digamma_of_negative(-x));
}

// Below 1/4 all terms are positive and fall by more than 10: below 6u.
Ends erf_inv_ends(double x) {
  const double a = std::abs(x);
  if (a == 0 || std::isnan(x)) return exactly(x);
  if (a >= 1) return exactly(a > 1 ? kNan : std::copysign(kInfinity, x));
  if (a < 0.25) {
    const double value = x * polynomial(kErfInv, x * x);
    return around({value, 8 * kUnit * std::abs(value)});
  }
  return around(with_sign_of(x, erf_inv_by_newton(1 - a)));
}

Ends bessel_i1e_ends(double x) {
  const double a = std::abs(x);
  if (a == 0 || std::isnan(x)) return exactly(x);
  if (std::isinf(x)) return exactly(std::copysign(0.0, x));
  return around(
      with_sign_of(x, a <= 24 ? bessel_by_powers(a) : bessel_by_asymptote(a)));
}

EndsOf ends_of(Function function) {
  switch (function) {
    case Function::kErfInv:
      return erf_inv_ends;
    case Function::kLgamma:
      return lgamma_ends;
    case Function::kDigamma:
      return digamma_ends;
    case Function::kBesselI1e:
      return bessel_i1e_ends;
    default:
      return nullptr;
  }
}

}  // namespace hlo::numeric
