#include "interpreter/definition/functions/special_functions.h"

#include "interpreter/definition/numbers/growing_precision.h"

namespace hlo::definition {
namespace {

// Each of the three operations is off by at most a unit, and none enlarges the
// relative error of those before it.
template <typename F>
Ball<F> logistic_ball(const F& x) {
  const F value = 1 / (1 + exp(-x));
  return {value, value * unit<F>() * 4};
}

// Whether erf(y) > x. As x has no more bits, rounding downward does not pass
// it, and erf(y) is not x but for 0.
bool is_erf_above(mpfr_srcptr y, mpfr_srcptr x) {
  Truncated value;
  mpfr_erf(value.get(), y, MPFR_RNDD);
  return mpfr_greaterequal_p(value.get(), x) != 0;
}

// y with erf(y) = x for 0 < x < 1 by Newton's method. It rises from 0 to y,
// since erf is concave there: the tangent lies above it.
template <typename F>
F approximate_erf_inv(const F& x) {
  const F half_root_pi = sqrt(acos(F(-1))) / 2;
  F y = 0;
  F step = x;
  while (step > y * ldexp(F(1), -static_cast<int>(kOddBits))) {
    step = (x - call(mpfr_erf, y)) * half_root_pi * exp(y * y);
    y += step;
  }
  return y;
}

// I_1(x) is the sum of (x/2)^(2k+1) / (k! (k+1)!); once the quotient of terms
// is below 1/2, a term is more than all that follow it. Each takes four
// operations from the one before, so that the sum of n is off by less than
// 5 (n + 1) units, and what follows by less than 8.
template <typename F>
Ball<F> bessel_by_powers(const F& x) {
  const F square = x * x / 4;
  F term = x / 2;
  F sum = term;
  long k = 1;
  for (; term > sum * unit<F>() || 2 * square > k * (k + 1); ++k) {
    term = term * square / (k * (k + 1));
    sum += term;
  }
  const F value = sum * exp(-x);
  return {value, value * unit<F>() * (5 * k + 20)};
}

// sqrt(2 pi x) exp(-x) I_1(x) = 1 + b_1 + b_2 + ... with
// b_k = b_(k-1) (2k - 3)(2k + 1) / (8kx). By DLMF 10.34.2 pi I_1(x) is the real
// part of i K_1(x exp(pi i)), whose remainder 10.40.10 to 10.40.13 bound by
// 2 |b_k| c(k) exp(3 c(1) / (4x)) with c(k) <= k + 1: below 4 (k + 1) |b_k| for
// x >= 2. The b_k are negative and add up to more than -1/2.
template <typename F>
Ball<F> bessel_by_asymptote(const F& x) {
  F term = 1;
  F sum = 0;
  long k = 0;
  while (4 * (k + 1) * abs(term) > unit<F>()) {
    sum += term;
    ++k;
    term = term * (2 * k - 3) * (2 * k + 1) / (8 * k * x);
  }
  const F value = sum / sqrt(2 * acos(F(-1)) * x);
  return {value, value * unit<F>() * (10 * k + 20)};
}

// The asymptotic terms fall to about exp(-2x).
template <typename F>
Ball<F> bessel_ball(const F& x) {
  return x > std::numeric_limits<F>::digits ? bessel_by_asymptote(x)
                                            : bessel_by_powers(x);
}

}  // namespace

// From 800 on it differs from 0 or 1 by less than any format shows.
Real logistic(const Real& x) {
  if (isnan(x)) return Real::nan();
  if (is_zero(x)) return 0.5;
  if (isinf(x)) return signbit(x) ? 0 : 1;
  const Real most = copysign(800, x);
  const Rational argument = rational(fabs(x) > 800 ? most : x);
  return refine([&](auto f) { return logistic_ball(decltype(f)(argument)); });
}

Real erf_inv(const Real& x) {
  if (isnan(x) || fabs(x) > 1) return Real::nan();
  if (is_zero(x)) return x;
  if (fabs(x) == 1) return Real::infinity(signbit(x));
  Truncated magnitude(fabs(x));
  Truncated y;
  const auto near = approximate_erf_inv(Float<60>(abs(rational(x))));
  mpfr_set(y.get(), near.backend().data(), MPFR_RNDZ);
  while (!is_erf_above(y.get(), magnitude.get())) mpfr_nextabove(y.get());
  while (is_erf_above(y.get(), magnitude.get())) mpfr_nextbelow(y.get());
  return copysign(rounded_to_odd(y.get(), 1), x);
}

Real bessel_i1e(const Real& x) {
  if (isnan(x)) return Real::nan();
  if (is_zero(x)) return x;
  if (isinf(x)) return Real::zero(signbit(x));
  const Rational magnitude = abs(rational(x));
  const Real value =
      refine([&](auto f) { return bessel_ball(decltype(f)(magnitude)); });
  return copysign(value, x);
}

}  // namespace hlo::definition
