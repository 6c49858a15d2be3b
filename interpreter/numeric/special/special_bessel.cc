#include "interpreter/numeric/special/special_bessel.h"

#include <mpfr.h>

#include "interpreter/numeric/real/enclosure.h"

// exp(-x) I_1(x) for x > 0; the function is odd.
namespace hlo::numeric::special {
namespace {

// The rounding errors of n + 1 terms, each a few operations from the one
// before, and of their sum: the k-th term is off by less than 3.1 k units of
// 2^-p, adding it by one more, and what follows the sum by less than 8. With
// the part that is left out, below one more unit, that is 5 (n + 4) units;
// this many bits are lost. Both series' terms add up to at most twice their
// sum in magnitude.
mpfr_prec_t lost_bits(unsigned long n) {
  mpfr_prec_t bits = 0;
  for (unsigned long units = 10 * (n + 4); units != 0; units >>= 1) ++bits;
  return bits;
}

bool is_below(const Real& small, const Real& large, mpfr_prec_t bits) {
  return mpfr_zero_p(small.get()) != 0 ||
         mpfr_get_exp(small.get()) < mpfr_get_exp(large.get()) - bits;
}

// I_1(x) = sum of (x/2)^(2k+1) / (k! (k+1)!): positive terms. Where the
// quotient (x/2)^2 / (k (k+1)) of two terms is below 1/2, all that follow a
// term add up to less than it.
void enclose_by_powers(Enclosure& value, mpfr_srcptr x) {
  const mpfr_prec_t precision = value.precision();
  Real square(precision);
  Real term(precision);
  Real sum(precision);
  mpfr_sqr(square.get(), x, MPFR_RNDN);
  mpfr_div_2ui(square.get(), square.get(), 2, MPFR_RNDN);
  mpfr_div_2ui(term.get(), x, 1, MPFR_RNDN);
  mpfr_set(sum.get(), term.get(), MPFR_RNDN);
  unsigned long k = 1;
  for (;; ++k) {
    mpfr_mul(term.get(), term.get(), square.get(), MPFR_RNDN);
    mpfr_div_ui(term.get(), term.get(), k * (k + 1), MPFR_RNDN);
    mpfr_add(sum.get(), sum.get(), term.get(), MPFR_RNDN);
    const bool shrinks = mpfr_cmp_ui(square.get(), k * (k + 1) / 2) < 0;
    if (shrinks && is_below(term, sum, precision)) break;
  }
  mpfr_neg(term.get(), x, MPFR_RNDN);
  mpfr_exp(term.get(), term.get(), MPFR_RNDN);
  mpfr_mul(sum.get(), sum.get(), term.get(), MPFR_RNDN);
  enclose(value, sum.get());
  widen(value, precision - lost_bits(k));
}

// sqrt(2 pi x) exp(-x) I_1(x) = sum of b_k, k < n, + R with b_0 = 1 and
// b_k = b_(k-1) (2k - 3)(2k + 1) / (8 k x).
//
// By DLMF 10.34.2, pi I_1(x) = i K_1(x exp(pi i)) + i K_1(x), and the last term
// has no real part. DLMF 10.40.10 to 10.40.13 bound the remainder of K_1 there
// by 2 |b_n| c(n) exp(3/4 c(1)/x), where c(n) = sqrt(pi) Gamma(n/2 + 1) /
// Gamma(n/2 + 1/2) <= sqrt(pi (n + 1) / 2) <= n + 1 and c(1) = pi/2. For x >= 2
// that is below 4 (n + 1) |b_n|. All b_k but b_0 are negative and add up to
// more than -1/2 for x >= 2 until they grow again.
void enclose_by_asymptote(Enclosure& value, mpfr_srcptr x) {
  const mpfr_prec_t precision = value.precision();
  Real term(precision);
  Real sum(precision);
  Real rest(precision);
  mpfr_set_ui(term.get(), 1, MPFR_RNDN);
  mpfr_set_ui(sum.get(), 1, MPFR_RNDN);
  long k = 1;
  for (;; ++k) {
    mpfr_mul_si(term.get(), term.get(), (2 * k - 3) * (2 * k + 1), MPFR_RNDN);
    mpfr_div_si(term.get(), term.get(), 8 * k, MPFR_RNDN);
    mpfr_div(term.get(), term.get(), x, MPFR_RNDN);
    mpfr_mul_si(rest.get(), term.get(), 8 * (k + 1), MPFR_RNDN);
    if (is_below(rest, sum, precision)) break;
    mpfr_add(sum.get(), sum.get(), term.get(), MPFR_RNDN);
  }
  mpfr_const_pi(rest.get(), MPFR_RNDN);
  mpfr_mul(rest.get(), rest.get(), x, MPFR_RNDN);
  mpfr_mul_2ui(rest.get(), rest.get(), 1, MPFR_RNDN);
  mpfr_rec_sqrt(rest.get(), rest.get(), MPFR_RNDN);
  mpfr_mul(sum.get(), sum.get(), rest.get(), MPFR_RNDN);
  enclose(value, sum.get());
  widen(value, precision - lost_bits(static_cast<unsigned long>(k)));
}

// The terms of the asymptotic series fall until k = 2x, to about exp(-2x).
bool asymptote_suffices(mpfr_srcptr x, mpfr_prec_t precision) {
  return mpfr_cmp_si(x, 20 + precision * 2 / 5) > 0;
}

// x/2 - x^2/2 < exp(-x) I_1(x) < x/2: the last number below x/2, where x is
// tiny.
int below_half(mpfr_ptr result, mpfr_srcptr x) {
  mpfr_div_2ui(result, x, 1, MPFR_RNDN);
  mpfr_nextbelow(result);
  return -1;
}

int positive(mpfr_ptr result, mpfr_srcptr x) {
  if (mpfr_get_exp(x) < -mpfr_get_prec(result) - 2) {
    return below_half(result, x);
  }
  return refine_enclosure(result, [&](Enclosure& value) {
    if (asymptote_suffices(x, value.precision())) {
      enclose_by_asymptote(value, x);
    } else {
      enclose_by_powers(value, x);
    }
  });
}

}  // namespace

int bessel_i1e(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (mpfr_nan_p(x) != 0 || mpfr_zero_p(x) != 0) {
    return mpfr_set(result, x, mode);
  }
  const int sign = mpfr_signbit(x) != 0 ? -1 : 1;
  if (mpfr_inf_p(x) != 0) {
    mpfr_set_zero(result, sign);
    return 0;
  }
  Real magnitude(mpfr_get_prec(x));
  mpfr_abs(magnitude.get(), x, MPFR_RNDN);
  const int ternary = positive(result, magnitude.get());
  mpfr_setsign(result, result, sign < 0 ? 1 : 0, MPFR_RNDN);
  return sign * ternary;
}

}  // namespace hlo::numeric::special
