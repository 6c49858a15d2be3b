#include "interpreter/numeric/special/special_error.h"

#include <mpfr.h>

#include <cmath>

#include "interpreter/numeric/real/enclosure.h"

namespace hlo::numeric::special {
namespace {

// erfc(x) < exp(-x^2) for x > 0: below every format from here on.
constexpr double kVanishing = 64;

// A first guess for 0 < x < 1, right to a few percent; the proof comes later.
void guess(Real& y, mpfr_srcptr x, mpfr_srcptr complement) {
  if (mpfr_cmp_d(x, 0.25) < 0) {
    constexpr double kHalfRootPi = 0.886226925452758;
    mpfr_mul_d(y.get(), x, kHalfRootPi, MPFR_RNDN);
    return;
  }
  const double c = mpfr_get_d(complement, MPFR_RNDN);
  Real logarithm(53);
  set(logarithm, c * (2 - c));
  mpfr_log(logarithm.get(), logarithm.get(), MPFR_RNDN);
  const double l = mpfr_get_d(logarithm.get(), MPFR_RNDN);  // log(1 - x^2)
  constexpr double kA = 0.147;
  constexpr double kTwoPerPiA = 4.330746750799873;
  const double b = kTwoPerPiA + l / 2;
  mpfr_set_d(y.get(), std::sqrt(std::sqrt(b * b - l / kA) - b), MPFR_RNDN);
}

// A number with the sign of y - erf_inv(x), rounded in `mode`; x itself is
// used below 1/2, and 1 - x above, where erf(y) has lost its last bits.
void residual(Real& difference, mpfr_srcptr y, mpfr_srcptr x,
              mpfr_srcptr complement, mpfr_rnd_t mode) {
  if (mpfr_cmp_d(x, 0.5) < 0) {
    mpfr_erf(difference.get(), y, mode);
    mpfr_sub(difference.get(), difference.get(), x, mode);
    return;
  }
  mpfr_erfc(difference.get(), y, mode == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU);
  mpfr_sub(difference.get(), complement, difference.get(), mode);
}

// sqrt(pi)/2 exp(y^2).
void set_slope(Real& slope, const Real& y) {
  Real half_root(mpfr_get_prec(slope.get()));
  mpfr_const_pi(half_root.get(), MPFR_RNDN);
  mpfr_sqrt(half_root.get(), half_root.get(), MPFR_RNDN);
  mpfr_div_2ui(half_root.get(), half_root.get(), 1, MPFR_RNDN);
  mpfr_sqr(slope.get(), y.get(), MPFR_RNDN);
  mpfr_exp(slope.get(), slope.get(), MPFR_RNDN);
  mpfr_mul(slope.get(), slope.get(), half_root.get(), MPFR_RNDN);
}

// Adds d + y d^2 + (1 + 4 y^2)/3 d^3: the inverse function's series.
void step_by(Real& y, const Real& d) {
  Real sum(mpfr_get_prec(y.get()));
  mpfr_sqr(sum.get(), y.get(), MPFR_RNDN);
  mpfr_mul_2ui(sum.get(), sum.get(), 2, MPFR_RNDN);
  mpfr_add_ui(sum.get(), sum.get(), 1, MPFR_RNDN);
  mpfr_div_ui(sum.get(), sum.get(), 3, MPFR_RNDN);
  mpfr_mul(sum.get(), sum.get(), d.get(), MPFR_RNDN);
  mpfr_add(sum.get(), sum.get(), y.get(), MPFR_RNDN);
  mpfr_mul(sum.get(), sum.get(), d.get(), MPFR_RNDN);
  mpfr_add_ui(sum.get(), sum.get(), 1, MPFR_RNDN);
  mpfr_mul(sum.get(), sum.get(), d.get(), MPFR_RNDN);
  mpfr_add(y.get(), y.get(), sum.get(), MPFR_RNDN);
}

// Householder's method, of fourth order, with d = (x - erf(y)) sqrt(pi)/2
// exp(y^2).
void approximate(Real& y, mpfr_srcptr x, mpfr_srcptr complement) {
  const mpfr_prec_t precision = mpfr_get_prec(y.get());
  Real d(precision);
  Real slope(precision);
  guess(y, x, complement);
  constexpr int kMost = 60;
  for (int i = 0; i < kMost; ++i) {
    residual(d, y.get(), x, complement, MPFR_RNDU);
    set_slope(slope, y);
    mpfr_mul(d.get(), d.get(), slope.get(), MPFR_RNDN);
    mpfr_neg(d.get(), d.get(), MPFR_RNDN);
    step_by(y, d);
    // The next d would be about (7 y + 12 y^3)/6 d^4, below 2^9 d^4.
    if (mpfr_zero_p(d.get()) != 0 ||
        mpfr_get_exp(d.get()) < (mpfr_get_exp(y.get()) - precision) / 4 - 3) {
      return;
    }
  }
}

// erf grows: where it is below x at the low end and above at the high one, the
// value lies between. An enclosure without that proof is left empty, around 0.
void enclose_erf_inv(Enclosure& value, mpfr_srcptr x, mpfr_srcptr complement) {
  constexpr mpfr_prec_t kSlack = 6;
  const mpfr_prec_t precision = value.precision();
  Real y(precision);
  Real low_side(precision);
  Real high_side(precision);
  approximate(y, x, complement);
  enclose(value, y.get());
  widen(value, precision - kSlack);
  residual(low_side, value.low.get(), x, complement, MPFR_RNDU);
  residual(high_side, value.high.get(), x, complement, MPFR_RNDD);
  if (mpfr_sgn(low_side.get()) <= 0 && mpfr_sgn(high_side.get()) >= 0) return;
  mpfr_set_zero(value.low.get(), 1);
  mpfr_set_zero(value.high.get(), 1);
}

}  // namespace

int erfc(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (mpfr_number_p(x) != 0 && mpfr_cmp_d(x, kVanishing) >= 0) {
    mpfr_set_zero(result, 1);
    return -1;
  }
  return mpfr_erfc(result, x, mode);
}

// +-0 at +-0, +-inf at +-1, NaN beyond.
int erf_inv(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (mpfr_zero_p(x) != 0) return mpfr_set(result, x, mode);
  if (mpfr_nan_p(x) != 0 || mpfr_cmpabs_ui(x, 1) > 0) {
    mpfr_set_nan(result);
    return 0;
  }
  const int sign = mpfr_sgn(x);
  if (mpfr_cmpabs_ui(x, 1) == 0) {
    mpfr_set_inf(result, sign);
    return 0;
  }
  Real magnitude(mpfr_get_prec(x));
  mpfr_abs(magnitude.get(), x, MPFR_RNDN);
  Real complement(mpfr_get_prec(x) + 1);  // exact for x >= 1/2, else not used
  mpfr_ui_sub(complement.get(), 1, magnitude.get(), MPFR_RNDN);
  const int ternary = refine_enclosure(result, [&](Enclosure& value) {
    enclose_erf_inv(value, magnitude.get(), complement.get());
  });
  mpfr_setsign(result, result, sign < 0 ? 1 : 0, MPFR_RNDN);
  return sign * ternary;
}

}  // namespace hlo::numeric::special
