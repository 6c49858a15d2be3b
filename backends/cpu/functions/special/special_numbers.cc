#include "backends/cpu/functions/special/special_numbers.h"

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/bernoulli.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>

namespace hlo::cpu {
namespace {

using Number = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float_50::backend_type,
    boost::multiprecision::et_off>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr unsigned kTerms = 20;  // of the asymptotic series
constexpr int kShift = 30;       // they begin that far to the right
constexpr double kHuge = 1e30;
constexpr double kNothing = 1e-50;  // the share that sums leave out

/// What is too small for a double is its least number, and not 0: a type
/// without a zero has a number for it, others round it to their zero.
template <typename T>
double rounded(const T& x) {
  const auto value = static_cast<double>(x);
  if (value != 0 || x == 0) return value;
  const double least = std::numeric_limits<double>::denorm_min();
  return x < 0 ? -least : least;
}

Number pi() { return boost::math::constants::pi<Number>(); }

/// B_2k.
const Number& bernoulli(unsigned k) {
  static const std::vector<Number> all = [] {
    std::vector<Number> numbers;
    for (unsigned i = 0; i <= kTerms; ++i) {
      numbers.push_back(
          boost::math::bernoulli_b2n<Number>(static_cast<int>(i)));
    }
    return numbers;
  }();
  return all[k];
}

bool is_integer(double x) { return std::isfinite(x) && x == std::floor(x); }

bool is_even(double x) { return std::fmod(x, 2) == 0; }

/// log of the gamma function of x > 0, by Stirling's series.
Number positive_log_gamma(Number x) {
  Number product = 1;
  for (; x < kShift; x += 1) product *= x;
  Number sum = (x - Number(0.5)) * log(x) - x + log(2 * pi()) / 2;
  Number power = x;
  for (unsigned k = 1; k <= kTerms; ++k) {
    sum += bernoulli(k) / (Number(2 * k) * (2 * k - 1) * power);
    power *= x * x;
  }
  return sum - log(product);
}

Number positive_digamma(Number x) {
  Number before = 0;
  for (; x < kShift; x += 1) before += 1 / x;
  Number sum = log(x) - 1 / (2 * x);
  Number power = x * x;
  for (unsigned k = 1; k <= kTerms; ++k) {
    sum -= bernoulli(k) / (Number(2 * k) * power);
    power *= x * x;
  }
  return sum - before;
}

/// What x is beyond the nearest integer, exactly.
Number beyond_integer(double x) {
  return Number(x) - Number(std::nearbyint(x));
}

/// (base / x)^s for base <= x and s > 1; 0 where it is below 1e-100.
Number share(const Number& base, const Number& x, const Number& s) {
  const Number size = s * log(x / base);
  return size > 231 ? Number(0) : exp(-size);
}

/// The sum of (base / (q + k))^s over k = 0, 1, 2, ... for q >= base > 0 and
/// s > 1, by Euler and Maclaurin. Where s is so large that their series does
/// not converge, no term is left for it.
Number zeta_shares(const Number& s, const Number& q, const Number& base) {
  Number sum = 0;
  Number x = q;
  Number power = share(base, x, s);
  // 1 is nothing beside such a q: (1 + k / q)^-s is exp(-k s / q).
  if (q > kHuge && s > q) return power / (1 - exp(-s / q));
  for (int k = 0; k < kShift || x < s; ++k) {
    if (power <= sum * kNothing) return sum;
    sum += power;
    x += 1;
    power = share(base, x, s);
  }
  sum += power * x / (s - 1) + power / 2;
  Number factor = power * s / x;  // s (s + 1) ... x^(-s - 2k + 1) / (2k)!
  factor /= 2;
  for (unsigned k = 1; k <= kTerms; ++k) {
    sum += bernoulli(k) * factor;
    factor *= (s + (2 * k - 1)) * (s + 2 * k);
    factor /= x * x * (Number(2 * k + 1) * (2 * k + 2));
  }
  return sum;
}

/// shares * base^-s: no format has the powers of a large s.
struct Zeta {
  Number shares;
  Number base;
};

/// The sum for an s > 1, and a q that is no integer below 1 and, where it is
/// negative, an s that is an integer.
Zeta zeta_sum(const Number& s, bool is_s_even, double q) {
  if (q > 0) return {zeta_shares(s, Number(q), Number(q)), Number(q)};
  // The last negative base is -r, r in (0, 1), the first one q.
  const Number above = Number(q) - Number(std::floor(q));
  const Number r = Number(std::ceil(q)) - Number(q);
  const Number behind = 1 - Number(q);
  if (r == above && !is_s_even) {  // negative terms and positive ones cancel
    return {zeta_shares(s, behind, behind), behind};
  }
  const Number base = r < above ? r : above;
  const Number negative =
      zeta_shares(s, r, base) - zeta_shares(s, behind, base);
  const Number positive = zeta_shares(s, above, base);
  return {is_s_even ? Number(positive + negative) : Number(positive - negative),
          base};
}

/// exp(logarithm) with the sign of `of`; of what is beyond a double an
/// infinity, or the least number.
double signed_exp(const Number& logarithm, const Number& of) {
  constexpr double kBeyond = 1000;
  const double size = logarithm > kBeyond    ? kInfinity
                      : logarithm < -kBeyond ? rounded(exp(Number(-kBeyond)))
                                             : rounded(Number(exp(logarithm)));
  return of < 0 ? -size : size;
}

/// At q = 0, -1, -2, ...
double zeta_at_pole(double s, double q) {
  if (std::isinf(s) || is_even(s)) return kInfinity;
  if (q != 0 || (s == 1 && std::signbit(q))) return kNan;
  return is_integer(s) ? std::copysign(kInfinity, q) : kInfinity;
}

/// log n! of an order.
Number log_factorial(double n) { return positive_log_gamma(Number(n) + 1); }

double polygamma_at_pole(double n, double x) {
  if (!is_even(n)) return kInfinity;
  if (x != 0) return kNan;
  return std::signbit(x) ? kInfinity : -kInfinity;
}

}  // namespace

double error_complement(double x) {
  const auto value = std::erfc(static_cast<long double>(x));
  const bool vanished = value == 0 && std::isfinite(x);
  return vanished ? std::numeric_limits<double>::denorm_min() : rounded(value);
}

double inverse_error(double x) {
  if (std::isnan(x) || std::fabs(x) > 1) return kNan;
  if (x == 0) return x;
  if (std::fabs(x) == 1) return std::copysign(kInfinity, x);
  return rounded(boost::math::erf_inv(static_cast<long double>(x)));
}

double log_gamma(double x) {
  if (std::isnan(x)) return kNan;
  if (std::isinf(x) || (x <= 0 && is_integer(x))) return kInfinity;
  if (x == 1 || x == 2) return 0;
  if (x > 0) return rounded(positive_log_gamma(Number(x)));
  const Number size = abs(Number(x) * sin(pi() * beyond_integer(x)));
  return rounded(Number(log(pi() / size) - positive_log_gamma(Number(-x))));
}

double digamma(double x) {
  if (std::isnan(x)) return kNan;
  if (x == kInfinity) return x;
  if (x == 0) return std::copysign(kInfinity, -x);
  if (x == -kInfinity || (x < 0 && is_integer(x))) return kNan;
  if (x > 0) return rounded(positive_digamma(Number(x)));
  return rounded(Number(positive_digamma(1 - Number(x)) -
                        pi() / tan(pi() * beyond_integer(x))));
}

double polygamma(double n, double x) {
  if (std::isnan(n) || std::isnan(x) || n < 0 || !is_integer(n)) return kNan;
  if (n == 0) return digamma(x);
  if (x == -kInfinity) return kNan;
  if (x == kInfinity) return is_even(n) ? -0.0 : 0.0;
  if (x <= 0 && is_integer(x)) return polygamma_at_pole(n, x);
  const Zeta sum = zeta_sum(Number(n) + 1, !is_even(n), x);
  const Number size =
      log_factorial(n) + log(abs(sum.shares)) - (Number(n) + 1) * log(sum.base);
  return signed_exp(size, is_even(n) ? Number(-sum.shares) : sum.shares);
}

double hurwitz_zeta(double s, double q) {
  if (std::isnan(s) || std::isnan(q) || s < 1 || q == -kInfinity) return kNan;
  const bool is_pole = q <= 0 && is_integer(q);
  if (is_pole) return zeta_at_pole(s, q);
  if (s == 1) return kInfinity;
  if (q < 0 && !is_integer(s) && !std::isinf(s)) return kNan;
  if (q == kInfinity) return 0;
  // The base nearest to zero decides.
  if (std::isinf(s)) return q > 1 ? 0 : q == 1 ? 1 : kInfinity;
  const Zeta sum = zeta_sum(Number(s), is_even(s), q);
  return signed_exp(log(abs(sum.shares)) - Number(s) * log(sum.base),
                    sum.shares);
}

double bessel_i1e(double x) {
  if (std::isnan(x)) return kNan;
  if (x == 0) return x;
  if (std::isinf(x)) return std::copysign(0.0, x);
  const Number size = Number(std::fabs(x));
  Number sum = 1;
  Number term = 1;
  const Number least = Number("1e-45");
  if (size > 60) {
    for (int k = 1; abs(term) > least && k < 120; ++k) {
      term *= Number((2 * k - 1) * (2 * k - 1) - 4) / (8 * k * size);
      sum += term;
    }
    sum /= sqrt(2 * pi() * size);
  } else {
    const Number quarter = size * size / 4;
    for (int k = 1; term > sum * least; ++k) {
      term *= quarter / (Number(k) * (k + 1));
      sum += term;
    }
    sum *= size / 2 * exp(-size);
  }
  return std::copysign(rounded(sum), x);
}

}  // namespace hlo::cpu
