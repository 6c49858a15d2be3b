#include "conformance/numerics/exact.h"

#include <mpfr.h>

namespace hlo::conformance {
namespace {

// More than values ask for that would have to lie nearer than 2^-200 to a
// number of the format or a midpoint to be rounded wrongly; near 0 logistic is
// 1/2 + x/4, for large x 1 - exp(-x).
constexpr mpfr_prec_t kSpareBits = 400;

// sqrt(pi)/2 x: what erf_inv is for small x, and a start for others.
void first_guess(Number& y, mpfr_srcptr x) {
  Number one_less(mpfr_get_prec(y.get()));
  mpfr_ui_sub(one_less.get(), 1, x, MPFR_RNDN);
  if (mpfr_cmp_d(x, 0.5) < 0) {
    mpfr_const_pi(y.get(), MPFR_RNDN);
    mpfr_sqrt(y.get(), y.get(), MPFR_RNDN);
    mpfr_div_2ui(y.get(), y.get(), 1, MPFR_RNDN);
    mpfr_mul(y.get(), y.get(), x, MPFR_RNDN);
    return;
  }
  // erfc(y) < exp(-y^2): a start on the right side, where -log erfc bends up.
  mpfr_log(y.get(), one_less.get(), MPFR_RNDN);
  mpfr_neg(y.get(), y.get(), MPFR_RNDN);
  mpfr_sqrt(y.get(), y.get(), MPFR_RNDN);
}

// One step of Newton's method for log erfc(y) = log(1 - x), or erf(y) = x where
// x is small; returns whether it was one of the last.
bool improve(Number& y, mpfr_srcptr x) {
  const mpfr_prec_t precision = mpfr_get_prec(y.get());
  const bool small = mpfr_cmp_d(x, 0.5) < 0;
  Number value(precision);
  Number step(precision);
  Number slope(precision);
  mpfr_sqr(slope.get(), y.get(), MPFR_RNDN);
  mpfr_exp(slope.get(), slope.get(), MPFR_RNDN);
  mpfr_const_pi(step.get(), MPFR_RNDN);
  mpfr_sqrt(step.get(), step.get(), MPFR_RNDN);
  mpfr_mul(slope.get(), slope.get(), step.get(), MPFR_RNDN);
  mpfr_div_2ui(slope.get(), slope.get(), 1, MPFR_RNDN);  // dy / d erf
  if (small) {
    mpfr_erf(value.get(), y.get(), MPFR_RNDN);
    mpfr_sub(step.get(), x, value.get(), MPFR_RNDN);
  } else {
    mpfr_erfc(value.get(), y.get(), MPFR_RNDN);
    mpfr_ui_sub(step.get(), 1, x, MPFR_RNDN);
    mpfr_div(step.get(), value.get(), step.get(), MPFR_RNDN);
    mpfr_log(step.get(), step.get(), MPFR_RNDN);
    mpfr_mul(step.get(), step.get(), value.get(), MPFR_RNDN);
  }
  mpfr_mul(step.get(), step.get(), slope.get(), MPFR_RNDN);
  mpfr_add(y.get(), y.get(), step.get(), MPFR_RNDN);
  return mpfr_zero_p(step.get()) != 0 ||
         mpfr_get_exp(step.get()) <
             mpfr_get_exp(y.get()) - precision / 2 - precision / 16;
}

// The sum of (x/2)^(2k+1) / (k! (k+1)!), times exp(-x), for x > 0.
void bessel_by_powers(Number& sum, mpfr_srcptr x) {
  const mpfr_prec_t precision = mpfr_get_prec(sum.get());
  Number term(precision);
  Number quarter(precision);
  mpfr_sqr(quarter.get(), x, MPFR_RNDN);
  mpfr_div_2ui(quarter.get(), quarter.get(), 2, MPFR_RNDN);
  mpfr_div_2ui(term.get(), x, 1, MPFR_RNDN);
  mpfr_set(sum.get(), term.get(), MPFR_RNDN);
  for (unsigned long k = 1;
       mpfr_get_exp(term.get()) > mpfr_get_exp(sum.get()) - precision ||
       mpfr_cmp_ui(x, k) > 0;
       ++k) {
    mpfr_mul(term.get(), term.get(), quarter.get(), MPFR_RNDN);
    mpfr_div_ui(term.get(), term.get(), k * (k + 1), MPFR_RNDN);
    mpfr_add(sum.get(), sum.get(), term.get(), MPFR_RNDN);
  }
  mpfr_neg(term.get(), x, MPFR_RNDN);
  mpfr_exp(term.get(), term.get(), MPFR_RNDN);
  mpfr_mul(sum.get(), sum.get(), term.get(), MPFR_RNDN);
}

// (1 - 3/(8x) - 15/(128x^2) - ...) / sqrt(2 pi x).
void bessel_far(Number& sum, mpfr_srcptr x) {
  const mpfr_prec_t precision = mpfr_get_prec(sum.get());
  Number term(precision);
  Number scale(precision);
  mpfr_set_ui(sum.get(), 1, MPFR_RNDN);
  mpfr_set_ui(term.get(), 1, MPFR_RNDN);
  for (long k = 1; mpfr_get_exp(term.get()) > -precision; ++k) {
    mpfr_mul_si(term.get(), term.get(), (2 * k - 1) * (2 * k - 1) - 4,
                MPFR_RNDN);
    mpfr_div_si(term.get(), term.get(), 8 * k, MPFR_RNDN);
    mpfr_div(term.get(), term.get(), x, MPFR_RNDN);
    mpfr_add(sum.get(), sum.get(), term.get(), MPFR_RNDN);
  }
  mpfr_const_pi(scale.get(), MPFR_RNDN);
  mpfr_mul(scale.get(), scale.get(), x, MPFR_RNDN);
  mpfr_mul_2ui(scale.get(), scale.get(), 1, MPFR_RNDN);
  mpfr_sqrt(scale.get(), scale.get(), MPFR_RNDN);
  mpfr_div(sum.get(), sum.get(), scale.get(), MPFR_RNDN);
}

}  // namespace

int exact_logistic(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr /*y*/,
                   mpfr_rnd_t mode) {
  Number value(mpfr_get_prec(result) + kSpareBits);
  mpfr_neg(value.get(), x, MPFR_RNDN);
  mpfr_exp(value.get(), value.get(), MPFR_RNDN);
  mpfr_add_ui(value.get(), value.get(), 1, MPFR_RNDN);
  mpfr_ui_div(value.get(), 1, value.get(), MPFR_RNDN);
  return mpfr_set(result, value.get(), mode);
}

// For -0 MPFR gives +inf, IEEE 754 -inf.
int exact_rsqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr /*y*/,
                mpfr_rnd_t mode) {
  if (mpfr_zero_p(x) == 0) return mpfr_rec_sqrt(result, x, mode);
  mpfr_set_inf(result, mpfr_signbit(x) != 0 ? -1 : 1);
  return 0;
}

int exact_erf_inv(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr /*y*/,
                  mpfr_rnd_t mode) {
  if (mpfr_zero_p(x) != 0) return mpfr_set(result, x, mode);
  Number size(mpfr_get_prec(x));
  mpfr_abs(size.get(), x, MPFR_RNDN);
  if (mpfr_nan_p(x) != 0 || mpfr_cmp_ui(size.get(), 1) > 0) {
    mpfr_set_nan(result);
    return 0;
  }
  if (mpfr_cmp_ui(size.get(), 1) == 0) {
    mpfr_set_inf(result, mpfr_sgn(x));
    return 0;
  }
  // 1 - x is exact, and what is lost to slopes is little.
  Number y(mpfr_get_prec(result) + kSpareBits);
  first_guess(y, size.get());
  while (!improve(y, size.get())) {
  }
  if (mpfr_sgn(x) < 0) mpfr_neg(y.get(), y.get(), MPFR_RNDN);
  return mpfr_set(result, y.get(), mode);
}

int exact_lgamma(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr /*y*/,
                 mpfr_rnd_t mode) {
  int sign = 0;
  return mpfr_lgamma(result, &sign, x, mode);
}

// At zeros the pole has a side; MPFR tells of the others.
int exact_digamma(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr /*y*/,
                  mpfr_rnd_t mode) {
  if (mpfr_zero_p(x) == 0) return mpfr_digamma(result, x, mode);
  mpfr_set_inf(result, mpfr_signbit(x) != 0 ? 1 : -1);
  return 0;
}

int exact_bessel_i1e(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr /*y*/,
                     mpfr_rnd_t mode) {
  if (mpfr_zero_p(x) != 0 || mpfr_nan_p(x) != 0) {
    return mpfr_set(result, x, mode);
  }
  if (mpfr_inf_p(x) != 0) {
    mpfr_set_zero(result, mpfr_sgn(x));
    return 0;
  }
  // The far series ends near exp(-2x).
  const mpfr_prec_t precision = mpfr_get_prec(result) + kSpareBits;
  Number size(mpfr_get_prec(x));
  Number sum(precision);
  mpfr_abs(size.get(), x, MPFR_RNDN);
  if (mpfr_cmp_si(size.get(), precision) < 0) {
    bessel_by_powers(sum, size.get());
  } else {
    bessel_far(sum, size.get());
  }
  if (mpfr_sgn(x) < 0) mpfr_neg(sum.get(), sum.get(), MPFR_RNDN);
  return mpfr_set(result, sum.get(), mode);
}

}  // namespace hlo::conformance
