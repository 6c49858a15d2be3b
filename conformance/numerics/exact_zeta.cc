#include "conformance/numerics/exact_zeta.h"

#include <mpfr.h>

#include <deque>

#include "conformance/numerics/exact.h"

// Hurwitz' zeta function and polygamma: terms one by one, and Euler's and
// Maclaurin's sum for those that are left. Special values as
// spec/numerics.md says.
namespace hlo::conformance {
namespace {

constexpr mpfr_prec_t kSpareBits = 200;
constexpr long kFar = 100'000;  // beyond every format, as a power of 2

/// (q + n)^-s, q moving on by 1.
class Terms {
 public:
  Terms(mpfr_srcptr s, mpfr_srcptr q, mpfr_prec_t precision)
      : power_(precision), base_(precision), term_(precision) {
    mpfr_neg(power_.get(), s, MPFR_RNDN);
    mpfr_set(base_.get(), q, MPFR_RNDN);
  }

  mpfr_ptr base() { return base_.get(); }

  mpfr_srcptr term() {
    mpfr_pow(term_.get(), base_.get(), power_.get(), MPFR_RNDN);
    return term_.get();
  }

  void next() { mpfr_add_ui(base_.get(), base_.get(), 1, MPFR_RNDN); }

 private:
  Number power_;
  Number base_;
  Number term_;
};

/// 2 zeta(2k) for k = 1, 2, ..., with more bits than are asked for.
class EvenZetas {
 public:
  EvenZetas() {
    for (unsigned long k = 1; k <= kCount; ++k) {
      mpfr_ptr value = values_.emplace_back(kPrecision).get();
      mpfr_zeta_ui(value, 2 * k, MPFR_RNDN);
      mpfr_mul_2ui(value, value, 1, MPFR_RNDN);
    }
  }

  mpfr_srcptr at(unsigned long k) const { return values_.at(k - 1).get(); }

 private:
  static constexpr mpfr_prec_t kPrecision = 700;
  static constexpr unsigned long kCount = 300;

  std::deque<Number> values_;
};

// a^(1-s) / (s-1) + a^-s / 2 and then, as B_2k / (2k)! is
// -(-1)^k 2 zeta(2k) / (2 pi)^2k, for k = 1, 2, ... that times
// s (s+1) ... (s+2k-2) a^(1-s-2k).
void add_rest(Number& sum, mpfr_srcptr s, mpfr_srcptr a, mpfr_srcptr power) {
  static const EvenZetas even_zetas;
  const mpfr_prec_t precision = mpfr_get_prec(sum.get());
  Number factor(precision);
  Number part(precision);
  Number turn(precision);
  mpfr_sub_ui(factor.get(), s, 1, MPFR_RNDN);
  mpfr_div(part.get(), a, factor.get(), MPFR_RNDN);
  mpfr_add_d(part.get(), part.get(), 0.5, MPFR_RNDN);
  mpfr_mul(part.get(), part.get(), power, MPFR_RNDN);
  mpfr_add(sum.get(), sum.get(), part.get(), MPFR_RNDN);
  mpfr_const_pi(turn.get(), MPFR_RNDN);
  mpfr_mul_2ui(turn.get(), turn.get(), 1, MPFR_RNDN);
  mpfr_mul(turn.get(), turn.get(), a, MPFR_RNDN);
  mpfr_mul(part.get(), power, a, MPFR_RNDN);
  for (unsigned long i = 0; i < static_cast<unsigned long>(precision); ++i) {
    // part: s ... (s+i-1) (2 pi a)^-(i+1) a^(1-s), less the sign
    mpfr_div(part.get(), part.get(), turn.get(), MPFR_RNDN);
    if (i % 2 != 0) {
      mpfr_mul(factor.get(), even_zetas.at((i + 1) / 2), part.get(), MPFR_RNDN);
      if (i % 4 == 3) mpfr_neg(factor.get(), factor.get(), MPFR_RNDN);
      mpfr_add(sum.get(), sum.get(), factor.get(), MPFR_RNDN);
      if (mpfr_get_exp(factor.get()) < mpfr_get_exp(sum.get()) - precision) {
        return;
      }
    }
    mpfr_add_ui(factor.get(), s, i, MPFR_RNDN);
    mpfr_mul(part.get(), part.get(), factor.get(), MPFR_RNDN);
  }
}

// Whether the term and all after it, less than term (1 + a / (s - 1)), are
// nothing beside the sum.
bool is_nothing(Number& sum, mpfr_srcptr term, mpfr_srcptr s, mpfr_srcptr a) {
  const mpfr_prec_t precision = mpfr_get_prec(sum.get());
  if (mpfr_zero_p(term) != 0) return true;
  Number less(precision);
  Number count(precision);
  mpfr_sub_ui(less.get(), s, 1, MPFR_RNDN);
  mpfr_div(count.get(), a, less.get(), MPFR_RNDN);
  mpfr_add_ui(count.get(), count.get(), 1, MPFR_RNDN);
  return mpfr_get_exp(term) + mpfr_get_exp(count.get()) <
         mpfr_get_exp(sum.get()) - precision;
}

// Half way between poles the terms of odd s from q to -q cancel in pairs; then
// they begin at 1 - q. Elsewhere those next to 0 differ by a factor.
void skip_pairs(mpfr_ptr base, mpfr_srcptr s) {
  Number half(mpfr_get_prec(base));
  mpfr_mul_2ui(half.get(), base, 1, MPFR_RNDN);
  const bool halfway =
      mpfr_integer_p(half.get()) != 0 && mpfr_integer_p(base) == 0;
  mpfr_div_2ui(half.get(), s, 1, MPFR_RNDN);
  const bool even = mpfr_integer_p(half.get()) != 0;
  if (halfway && !even && mpfr_sgn(base) < 0) {
    mpfr_ui_sub(base, 1, base, MPFR_RNDN);
  }
}

// zeta(s, q) for s > 1, and integers s where q < 0.
void set_sum(Number& sum, mpfr_srcptr s, mpfr_srcptr q) {
  const mpfr_prec_t precision = mpfr_get_prec(sum.get());
  Number enough(precision);
  mpfr_add_si(enough.get(), s, precision, MPFR_RNDN);
  mpfr_div_ui(enough.get(), enough.get(), 3, MPFR_RNDN);
  Terms terms(s, q, precision);
  skip_pairs(terms.base(), s);
  mpfr_set_zero(sum.get(), 1);
  for (; mpfr_less_p(terms.base(), enough.get()) != 0; terms.next()) {
    const mpfr_srcptr term = terms.term();
    mpfr_add(sum.get(), sum.get(), term, MPFR_RNDN);
    const bool right = mpfr_sgn(terms.base()) > 0;
    if (right && mpfr_zero_p(sum.get()) == 0 &&
        is_nothing(sum, term, s, terms.base())) {
      return;
    }
  }
  add_rest(sum, s, terms.base(), terms.term());
}

// Gamma(s)^k q^-s as a power of 2, for q > 0 and k = 0 or 1.
double logarithm(mpfr_srcptr s, mpfr_srcptr q, bool gamma) {
  constexpr mpfr_prec_t kEnough = 300;
  Number power(kEnough);
  Number scale(kEnough);
  mpfr_log2(power.get(), q, MPFR_RNDN);
  mpfr_mul(power.get(), power.get(), s, MPFR_RNDN);
  mpfr_set_zero(scale.get(), 1);
  if (gamma) {
    Number two(kEnough);
    mpfr_lngamma(scale.get(), s, MPFR_RNDN);
    mpfr_const_log2(two.get(), MPFR_RNDN);
    mpfr_div(scale.get(), scale.get(), two.get(), MPFR_RNDN);
  }
  mpfr_sub(scale.get(), scale.get(), power.get(), MPFR_RNDN);
  return mpfr_get_d(scale.get(), MPFR_RNDN);
}

// Gamma(s)^k zeta(s, q), times -1 if negative.
int scaled(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr q, bool gamma,
           bool negative, mpfr_rnd_t mode) {
  Number sum(mpfr_get_prec(result) + kSpareBits);
  const double size = mpfr_sgn(q) > 0 ? logarithm(s, q, gamma) : 0;
  if (size > kFar || size < -kFar) {
    mpfr_set_ui_2exp(sum.get(), 1, size > 0 ? kFar : -kFar, MPFR_RNDN);
  } else {
    set_sum(sum, s, q);
  }
  if (gamma && size <= kFar && size >= -kFar) {
    Number factor(mpfr_get_prec(sum.get()));
    mpfr_gamma(factor.get(), s, MPFR_RNDN);
    mpfr_mul(sum.get(), sum.get(), factor.get(), MPFR_RNDN);
  }
  if (negative) mpfr_neg(sum.get(), sum.get(), MPFR_RNDN);
  return mpfr_set(result, sum.get(), mode);
}

bool is_even(mpfr_srcptr integer) {
  Number half(mpfr_get_prec(integer));
  mpfr_div_2ui(half.get(), integer, 1, MPFR_RNDN);
  return mpfr_integer_p(half.get()) != 0;
}

int nan(mpfr_ptr result) {
  mpfr_set_nan(result);
  return 0;
}

int infinity(mpfr_ptr result, bool negative) {
  mpfr_set_inf(result, negative ? -1 : 1);
  return 0;
}

bool is_pole(mpfr_srcptr x) {
  return mpfr_integer_p(x) != 0 && mpfr_sgn(x) <= 0;
}

int zeta_at_pole(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr q) {
  const bool endless = mpfr_inf_p(s) != 0;
  const bool whole = endless || mpfr_integer_p(s) != 0;
  if (whole && (endless || is_even(s))) return infinity(result, false);
  if (mpfr_zero_p(q) == 0) return nan(result);
  const bool negative = whole && mpfr_signbit(q) != 0;
  if (negative && mpfr_cmp_ui(s, 1) == 0) return nan(result);
  return infinity(result, negative);
}

}  // namespace

int exact_zeta(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr q, mpfr_rnd_t mode) {
  if (mpfr_nan_p(s) != 0 || mpfr_nan_p(q) != 0) return nan(result);
  if (mpfr_cmp_ui(s, 1) < 0) return nan(result);
  if (mpfr_inf_p(q) != 0 && mpfr_sgn(q) < 0) return nan(result);
  if (is_pole(q)) return zeta_at_pole(result, s, q);
  if (mpfr_cmp_ui(s, 1) == 0) return infinity(result, false);
  if (mpfr_inf_p(q) != 0) return mpfr_set_ui(result, 0, mode);
  if (mpfr_inf_p(s) != 0) {
    const int order = mpfr_cmp_ui(q, 1);
    if (order < 0) return infinity(result, false);
    return mpfr_set_ui(result, order == 0 ? 1 : 0, mode);
  }
  if (mpfr_sgn(q) < 0 && mpfr_integer_p(s) == 0) return nan(result);
  return scaled(result, s, q, /*gamma=*/false, /*negative=*/false, mode);
}

int exact_polygamma(mpfr_ptr result, mpfr_srcptr n, mpfr_srcptr x,
                    mpfr_rnd_t mode) {
  if (mpfr_integer_p(n) == 0 || mpfr_sgn(n) < 0) return nan(result);
  if (mpfr_zero_p(n) != 0) return exact_digamma(result, x, x, mode);
  if (mpfr_nan_p(x) != 0) return nan(result);
  const bool even = is_even(n);
  if (mpfr_inf_p(x) != 0) {
    if (mpfr_sgn(x) < 0) return nan(result);
    mpfr_set_zero(result, even ? -1 : 1);
    return 0;
  }
  if (is_pole(x)) {
    if (!even) return infinity(result, false);
    if (mpfr_zero_p(x) == 0) return nan(result);
    return infinity(result, mpfr_signbit(x) == 0);
  }
  constexpr mpfr_prec_t kWhole = 300;
  Number s(kWhole);
  mpfr_add_ui(s.get(), n, 1, MPFR_RNDN);
  return scaled(result, s.get(), x, /*gamma=*/true, even, mode);
}

}  // namespace hlo::conformance
