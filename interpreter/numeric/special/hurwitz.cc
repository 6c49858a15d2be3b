#include "interpreter/numeric/special/hurwitz.h"

#include <mpfr.h>

namespace hlo::numeric {
namespace {

// Adds [-bound, bound].
void blur(Enclosure& value, const Real& bound) {
  mpfr_sub(value.low.get(), value.low.get(), bound.get(), MPFR_RNDD);
  mpfr_add(value.high.get(), value.high.get(), bound.get(), MPFR_RNDU);
}

// The terms T_k = B_2k / (2k)! s (s+1) ... (s+2k-2) a^(1-2k) of Euler's and
// Maclaurin's sum, without their signs (-1)^(k+1). |B_2k| / (2k)! is
// 2 zeta(2k) / (2 pi)^2k.
class Terms {
 public:
  Terms(mpfr_srcptr s, mpfr_srcptr a, mpfr_prec_t precision)
      : s_(s), a_(a), power_(precision), current_(precision) {
    enclose(power_, s);
    Enclosure base(precision);
    enclose(base, a);
    divide(power_, base);
    over_two_pi();
    over_two_pi();
    find();
  }

  const Enclosure& current() const { return current_; }

  void next() {
    Real shifted(kExact);
    Enclosure factor(power_.precision());
    Enclosure base(power_.precision());
    enclose(base, a_);
    for (unsigned long i = 2 * k_ - 1; i <= 2 * k_; ++i) {
      mpfr_add_ui(shifted.get(), s_, i, MPFR_RNDN);
      enclose(factor, shifted.get());
      multiply(power_, factor);
      divide(power_, base);
      over_two_pi();
    }
    ++k_;
    find();
  }

 private:
  void over_two_pi() {
    Enclosure two_pi(power_.precision());
    mpfr_const_pi(two_pi.low.get(), MPFR_RNDD);
    mpfr_const_pi(two_pi.high.get(), MPFR_RNDU);
    mpfr_mul_2ui(two_pi.low.get(), two_pi.low.get(), 1, MPFR_RNDD);
    mpfr_mul_2ui(two_pi.high.get(), two_pi.high.get(), 1, MPFR_RNDU);
    divide(power_, two_pi);
  }

  void find() {
    mpfr_zeta_ui(current_.low.get(), 2 * k_, MPFR_RNDD);
    mpfr_zeta_ui(current_.high.get(), 2 * k_, MPFR_RNDU);
    mpfr_mul_2ui(current_.low.get(), current_.low.get(), 1, MPFR_RNDD);
    mpfr_mul_2ui(current_.high.get(), current_.high.get(), 1, MPFR_RNDU);
    multiply(current_, power_);
  }

  mpfr_srcptr s_;
  mpfr_srcptr a_;
  unsigned long k_ = 1;
  Enclosure power_;  // s ... (s+2k-2) a^(1-2k) (2 pi)^-2k
  Enclosure current_;
};

// a^s times the sum of (a + n)^-s, n >= 0: a/(s-1) + 1/2 + T_1 - T_2 + ... .
// The derivatives of t^-s of even order are positive and fall to 0, so that
// remainders of consecutive sums have opposite signs (the periodic B_2k(t) -
// B_2k keep one sign, which alternates with k): what is left out is smaller
// than the first term left out.
void set_tail(Enclosure& tail, mpfr_srcptr s, mpfr_srcptr a) {
  const mpfr_prec_t precision = tail.precision();
  Real less(kExact);
  mpfr_sub_ui(less.get(), s, 1, MPFR_RNDN);
  mpfr_div(tail.low.get(), a, less.get(), MPFR_RNDD);
  mpfr_div(tail.high.get(), a, less.get(), MPFR_RNDU);
  Enclosure part(precision);
  mpfr_set_d(less.get(), 0.5, MPFR_RNDN);
  enclose(part, less.get());
  add(tail, part);
  Terms terms(s, a, precision);
  for (mpfr_prec_t k = 1; k < precision / 2; ++k) {
    const mpfr_exp_t size = mpfr_get_exp(terms.current().high.get());
    if (size < mpfr_get_exp(tail.high.get()) - precision - 2) break;
    if (k % 2 != 0) {
      add(tail, terms.current());
    } else {
      subtract(tail, terms.current());
    }
    terms.next();
  }
  blur(tail, terms.current().high);
}

// Whether ratio (1 + a / (s - 1)), which is more than the sum of (q / a')^s for
// a' = a, a + 1, ..., is below 2^-(precision + 2); it then becomes `ratio`.
bool vanishes(Enclosure& ratio, mpfr_srcptr s, mpfr_srcptr a) {
  const mpfr_prec_t precision = ratio.precision();
  Real bound(precision);
  mpfr_sub_ui(bound.get(), s, 1, MPFR_RNDD);
  mpfr_div(bound.get(), a, bound.get(), MPFR_RNDU);
  mpfr_add_ui(bound.get(), bound.get(), 1, MPFR_RNDU);
  mpfr_mul(bound.get(), bound.get(), ratio.high.get(), MPFR_RNDU);
  if (mpfr_cmp_ui_2exp(bound.get(), 1, -precision - 2) >= 0) return false;
  mpfr_set(ratio.high.get(), bound.get(), MPFR_RNDU);
  return true;
}

}  // namespace

// exp(-s log(1 + (a - q) / q)): a ratio next to 1 would lose what s magnifies.
void set_power_of_ratio(Enclosure& power, mpfr_srcptr q, mpfr_srcptr a,
                        mpfr_srcptr s) {
  Real difference(kExact);
  Real least(power.precision());
  mpfr_sub(difference.get(), a, q, MPFR_RNDN);
  mpfr_div(power.low.get(), difference.get(), q, MPFR_RNDD);
  mpfr_div(power.high.get(), difference.get(), q, MPFR_RNDU);
  mpfr_log1p(power.low.get(), power.low.get(), MPFR_RNDD);
  mpfr_log1p(power.high.get(), power.high.get(), MPFR_RNDU);
  mpfr_mul(power.low.get(), power.low.get(), s, MPFR_RNDD);
  mpfr_mul(power.high.get(), power.high.get(), s, MPFR_RNDU);
  mpfr_neg(least.get(), power.high.get(), MPFR_RNDN);
  mpfr_neg(power.high.get(), power.low.get(), MPFR_RNDN);
  mpfr_exp(power.low.get(), least.get(), MPFR_RNDD);
  mpfr_exp(power.high.get(), power.high.get(), MPFR_RNDU);
}

// Terms are added until those of the tail fall by a factor of four each while
// 2k is below the precision.
void set_hurwitz_sum(Enclosure& sum, mpfr_srcptr s, mpfr_srcptr q) {
  const mpfr_prec_t precision = sum.precision();
  Real a(kExact);
  Real enough(kExact);
  Enclosure ratio(precision);
  Enclosure tail(precision);
  mpfr_add_si(enough.get(), s, precision, MPFR_RNDN);
  mpfr_div_ui(enough.get(), enough.get(), 3, MPFR_RNDN);
  mpfr_set_zero(sum.low.get(), 1);
  mpfr_set_zero(sum.high.get(), 1);
  mpfr_set(a.get(), q, MPFR_RNDN);
  for (; mpfr_less_p(a.get(), enough.get()) != 0;
       mpfr_add_ui(a.get(), a.get(), 1, MPFR_RNDN)) {
    set_power_of_ratio(ratio, q, a.get(), s);
    const bool last = vanishes(ratio, s, a.get());
    add(sum, ratio);
    if (last) return;
  }
  set_power_of_ratio(ratio, q, a.get(), s);
  set_tail(tail, s, a.get());
  multiply(ratio, tail);
  add(sum, ratio);
}

}  // namespace hlo::numeric
