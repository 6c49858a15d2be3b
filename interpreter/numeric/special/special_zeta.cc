#include "interpreter/numeric/special/special_zeta.h"

#include <mpfr.h>

#include <cstdint>

#include "interpreter/numeric/real/enclosure.h"
#include "interpreter/numeric/special/hurwitz.h"
#include "interpreter/numeric/special/special_gamma.h"

// zeta(s, q) = sum of (q + n)^-s, n >= 0, and the derivatives of digamma:
// (-1)^s (s - 1)! zeta(s, x) is the one of order s - 1.
namespace hlo::numeric::special {
namespace {

// Beyond every format, as a power of e and of 2; no farther, as a small q takes
// as many bits to be told from the pole.
constexpr long kFar = 1100;

// log of Gamma(s)^k q^-s, for k = 0 or 1.
void set_scale(Enclosure& scale, mpfr_srcptr s, mpfr_srcptr q, bool gamma) {
  Enclosure part(scale.precision());
  if (gamma) {
    mpfr_lngamma(scale.low.get(), s, MPFR_RNDD);
    mpfr_lngamma(scale.high.get(), s, MPFR_RNDU);
  } else {
    mpfr_set_zero(scale.low.get(), 1);
    mpfr_set_zero(scale.high.get(), 1);
  }
  mpfr_log(part.low.get(), q, MPFR_RNDD);
  mpfr_log(part.high.get(), q, MPFR_RNDU);
  Enclosure factor(kExact);
  enclose(factor, s);
  multiply(part, factor);
  subtract(scale, part);
}

enum class Range : uint8_t { kInside, kAbove, kBelow };

// Where exp(scale) |sum| lies as far as the exponents show it. Where scale is
// not yet known well enough, exp may overflow, which decides nothing.
Range range_of(const Enclosure& scale, const Enclosure& sum) {
  const bool negative = mpfr_sgn(sum.high.get()) < 0;
  const Real& near = negative ? sum.high : sum.low;
  const Real& far = negative ? sum.low : sum.high;
  if (mpfr_sgn(near.get()) == 0 ||
      mpfr_sgn(sum.low.get()) != mpfr_sgn(sum.high.get())) {
    return Range::kInside;
  }
  const long least = mpfr_get_exp(near.get()) - 1;
  const long most = mpfr_get_exp(far.get());
  // 2^k lies between e^k and 1 for negative k, the other way for positive k.
  if (mpfr_cmp_si(scale.low.get(), kFar - (least < 0 ? least : 0)) > 0) {
    return Range::kAbove;
  }
  if (mpfr_cmp_si(scale.high.get(), -kFar - (most > 0 ? most : 0)) < 0) {
    return Range::kBelow;
  }
  return Range::kInside;
}

// exp(scale) sum to `value`, or to an infinity or zero which says as much.
void scale_sum(Enclosure& value, Enclosure& scale) {
  mpfr_exp(scale.low.get(), scale.low.get(), MPFR_RNDD);
  mpfr_exp(scale.high.get(), scale.high.get(), MPFR_RNDU);
  multiply(value, scale);
}

// exp(scale) sum, where (sum, scale) are refined until it is decided.
template <typename Sum>
int refine_scaled(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr q, bool gamma,
                  const Sum& set_sum) {
  for (mpfr_prec_t precision = 128;; precision *= 2) {
    Enclosure sum(precision);
    Enclosure scale(precision);
    set_sum(sum);
    set_scale(scale, s, q, gamma);
    const int sign = mpfr_sgn(sum.low.get()) < 0 ? -1 : 1;
    const Range range = range_of(scale, sum);
    if (range == Range::kAbove) {
      mpfr_set_inf(result, sign);
      return sign;
    }
    if (range == Range::kBelow) {
      mpfr_set_zero(result, sign);
      return -sign;
    }
    scale_sum(sum, scale);
    if (const auto ternary = truncate(result, sum)) return *ternary;
  }
}

bool is_even(mpfr_srcptr integer) {
  Real half(kExact);
  mpfr_div_2ui(half.get(), integer, 1, MPFR_RNDN);
  return mpfr_integer_p(half.get()) != 0;
}

// Gamma(s)^k zeta(s, q) for q > 0.
int on_the_right(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr q, bool gamma) {
  constexpr long kNothing = 3;
  if (!gamma && mpfr_cmp_ui(q, 1) == 0 &&
      mpfr_cmp_si(s, mpfr_get_prec(result) + kNothing) > 0) {
    mpfr_set_ui(result, 1, MPFR_RNDZ);  // and 2^-s + 3^-s + ... < 2^(1 - s)
    return -1;
  }
  return refine_scaled(result, s, q, gamma,
                       [&](Enclosure& sum) { set_hurwitz_sum(sum, s, q); });
}

// x, not an integer, is seen from the integers around it: f = x - floor(x).
struct Fraction {
  explicit Fraction(mpfr_srcptr x) : f(kExact), g(kExact), beyond(kExact) {
    mpfr_floor(f.get(), x);
    mpfr_sub(f.get(), x, f.get(), MPFR_RNDN);
    mpfr_ui_sub(g.get(), 1, f.get(), MPFR_RNDN);
    mpfr_ui_sub(beyond.get(), 1, x, MPFR_RNDN);
  }

  mpfr_srcptr nearer() const {
    return (mpfr_less_p(f.get(), g.get()) != 0 ? f : g).get();
  }

  Real f;
  Real g;       // 1 - f
  Real beyond;  // 1 - x
};

// (unit / q)^s W(s, q) = unit^s zeta(s, q) for unit <= q.
void set_in_units(Enclosure& sum, mpfr_srcptr s, mpfr_srcptr q,
                  mpfr_srcptr unit) {
  Enclosure ratio(sum.precision());
  set_hurwitz_sum(sum, s, q);
  set_power_of_ratio(ratio, unit, q, s);
  multiply(sum, ratio);
}

// Gamma(s)^k zeta(s, x) for an integer s >= 2 and x < 0, not an integer. The
// terms n with x + n > 0 are zeta(s, f); the others are (-1)^s (1 - f)^-s,
// ..., (-1)^s (-x)^-s: (-1)^s (zeta(s, 1 - f) - zeta(s, 1 - x)).
int on_the_left(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr x, bool gamma) {
  const Fraction at(x);
  const bool even = is_even(s);
  if (!even && mpfr_equal_p(at.f.get(), at.g.get()) != 0) {
    return on_the_right(result, s, at.beyond.get(), gamma);
  }
  const mpfr_srcptr unit = at.nearer();
  return refine_scaled(result, s, unit, gamma, [&](Enclosure& sum) {
    Enclosure left(sum.precision());
    Enclosure rest(sum.precision());
    set_in_units(sum, s, at.f.get(), unit);
    set_in_units(left, s, at.g.get(), unit);
    set_in_units(rest, s, at.beyond.get(), unit);
    subtract(left, rest);
    even ? add(sum, left) : subtract(sum, left);
  });
}

int set_nan(mpfr_ptr result) {
  mpfr_set_nan(result);
  return 0;
}

int set_infinity(mpfr_ptr result, int sign) {
  mpfr_set_inf(result, sign);
  return 0;
}

bool is_pole(mpfr_srcptr x) {
  return mpfr_integer_p(x) != 0 && mpfr_sgn(x) <= 0;
}

// At q = 0, -1, ...: one term is infinite. For odd s its sign is that of a zero
// q; the others fall to both sides. An infinite s counts as even.
int zeta_at_pole(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr q) {
  const bool integer = mpfr_inf_p(s) != 0 || mpfr_integer_p(s) != 0;
  if (integer && (mpfr_inf_p(s) != 0 || is_even(s))) {
    return set_infinity(result, 1);
  }
  if (mpfr_zero_p(q) == 0) return set_nan(result);
  if (!integer || mpfr_signbit(q) == 0) return set_infinity(result, 1);
  // The harmonic series less infinity.
  if (mpfr_cmp_ui(s, 1) == 0) return set_nan(result);
  return set_infinity(result, -1);
}

// The limit for s to infinity through even integers: that of the largest term.
int zeta_at_infinity(mpfr_ptr result, mpfr_srcptr q) {
  const int order = mpfr_cmp_ui(q, 1);
  if (order < 0) return set_infinity(result, 1);
  return mpfr_set_ui(result, order == 0 ? 1 : 0, MPFR_RNDZ);
}

int negate(mpfr_ptr result, int ternary) {
  mpfr_neg(result, result, MPFR_RNDN);
  return -ternary;
}

// n = 1, 2, ... and x neither NaN nor -inf: where the argument is no finite
// number that the sums are for.
bool polygamma_at_limit(mpfr_ptr result, bool even, mpfr_srcptr x) {
  if (mpfr_inf_p(x) != 0) {
    mpfr_set_zero(result, even ? -1 : 1);
    return true;
  }
  if (!is_pole(x)) return false;
  if (!even) {
    set_infinity(result, 1);
  } else if (mpfr_zero_p(x) != 0) {
    set_infinity(result, mpfr_signbit(x) != 0 ? 1 : -1);
  } else {
    set_nan(result);
  }
  return true;
}

}  // namespace

int zeta(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr q, mpfr_rnd_t /*mode*/) {
  const bool nan = mpfr_nan_p(s) != 0 || mpfr_nan_p(q) != 0;
  if (nan || mpfr_cmp_ui(s, 1) < 0) return set_nan(result);
  if (mpfr_inf_p(q) != 0 && mpfr_sgn(q) < 0) return set_nan(result);
  if (is_pole(q)) return zeta_at_pole(result, s, q);
  if (mpfr_cmp_ui(s, 1) == 0) return set_infinity(result, 1);
  if (mpfr_inf_p(q) != 0) return mpfr_set_ui(result, 0, MPFR_RNDZ);
  if (mpfr_inf_p(s) != 0) return zeta_at_infinity(result, q);
  if (mpfr_sgn(q) > 0) return on_the_right(result, s, q, false);
  if (mpfr_integer_p(s) == 0) return set_nan(result);
  return on_the_left(result, s, q, false);
}

int polygamma(mpfr_ptr result, mpfr_srcptr n, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (mpfr_integer_p(n) == 0 || mpfr_sgn(n) < 0 || mpfr_nan_p(x) != 0) {
    return set_nan(result);
  }
  if (mpfr_zero_p(n) != 0) return digamma(result, x, mode);
  if (mpfr_inf_p(x) != 0 && mpfr_sgn(x) < 0) return set_nan(result);
  const bool even = is_even(n);
  if (polygamma_at_limit(result, even, x)) return 0;
  Real s(kExact);
  mpfr_add_ui(s.get(), n, 1, MPFR_RNDN);
  const int ternary = mpfr_sgn(x) > 0 ? on_the_right(result, s.get(), x, true)
                                      : on_the_left(result, s.get(), x, true);
  return even ? negate(result, ternary) : ternary;
}

}  // namespace hlo::numeric::special
