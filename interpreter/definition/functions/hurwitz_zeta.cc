#include "interpreter/definition/functions/hurwitz_zeta.h"

#include <vector>

#include "interpreter/definition/numbers/growing_precision.h"

// zeta(s, q), the sum of (q + n)^-s, and the derivatives of digamma, which are
// (-1)^s Gamma(s) zeta(s, x) with s = n + 1.
namespace hlo::definition {
namespace {

// zeta(2k), kept for each thread.
template <typename F>
const F& zeta_of_even(size_t k) {
  static thread_local std::vector<F> known;
  while (known.size() <= k) {
    F& next = known.emplace_back();
    mpfr_zeta_ui(next.backend().data(), 2 * (known.size() - 1), MPFR_RNDN);
  }
  return known[k];
}

// a^s times the sum of (a + n)^-s by Euler and Maclaurin: a/(s-1) + 1/2 + T_1 -
// T_2 + ... with T_k = |B_2k| / (2k)! s (s+1) ... (s+2k-2) a^(1-2k) and
// |B_2k| / (2k)! = 2 zeta(2k) / (2 pi)^2k. The derivatives of t^-s of even
// order are positive, so that what is left out is less than the first term
// left out. Terms fall by a factor of four while 2k is below the precision, as
// (s + 2k) / (2 pi a) < 1/2.
template <typename F>
F tail_sum(const F& s, const F& a) {
  const F two_pi_a = 2 * acos(F(-1)) * a;
  const F square = two_pi_a * two_pi_a;
  F sum = a / (s - 1) + F(0.5);
  F term = 2 * s * a / square;
  for (unsigned long k = 1; term > unit<F>() * sum; ++k) {
    const F whole = term * zeta_of_even<F>(k);
    sum += k % 2 != 0 ? whole : F(-whole);
    term = term * (s + (2 * k - 1)) * (s + 2 * k) / square;
  }
  return sum;
}

// (1 + d)^-s
template <typename F>
F falling_power(const F& d, const F& s) {
  return exp(-s * call(mpfr_log1p, d));
}

// q^s zeta(s, q) for q > 0: terms until the tail's fall, or until they and all
// that follow, less than (1 + a/(s-1)) times as much, are nothing beside them.
template <typename F>
F scaled_zeta(const F& s, const F& q) {
  const F enough = (s + std::numeric_limits<F>::digits) / 3;
  F sum = 0;
  for (long n = 0;; ++n) {
    const F a = q + n;
    const F ratio = falling_power(F(n / q), s);
    if (a >= enough) return sum + ratio * tail_sum(s, a);
    if (ratio * (1 + a / (s - 1)) < unit<F>() * sum) return sum;
    sum += ratio;
  }
}

// Gamma(s)^k q^-s, its logarithm limited to where it is beyond every format,
// whatever it is multiplied by.
template <typename F>
F scale(const F& s, const F& q, bool gamma) {
  const F log_gamma = gamma ? call(mpfr_lngamma, s) : F(0);
  const F logarithm = log_gamma - s * log(q);
  const F most = 1 << 15;
  return exp(logarithm > most    ? most
             : logarithm < -most ? F(-most)
                                 : logarithm);
}

// The exponents above are at most 2^12 s, off by a few units each; sums have
// at most 2^14 terms.
template <typename F>
F relative_error(const F& s) {
  return unit<F>() * s * ldexp(F(1), 32);
}

// Gamma(s)^k zeta(s, q) for s > 1 and q > 0.
Real on_the_right(const Rational& s, const Rational& q, bool gamma) {
  return refine([&](auto f) {
    using F = decltype(f);
    const F value = scale(F(s), F(q), gamma) * scaled_zeta(F(s), F(q));
    return Ball<F>{value, value * relative_error(F(s))};
  });
}

// Gamma(s)^k zeta(s, x) for x < 0, not an integer. With f = x - floor(x) the
// terms of positive x + n add up to zeta(s, f), the others, of which each is
// (-1)^s times a power of 1 - f, ..., -x, to those of zeta(s, 1 - f) without
// those of zeta(s, 1 - x).
Real on_the_left(const Rational& s, const Rational& x, bool even, bool gamma) {
  const Rational above = x - floor(x);
  const Rational below = 1 - above;
  const Rational beyond = 1 - x;
  if (!even && above == below) return on_the_right(s, beyond, gamma);
  const Rational least = above < below ? above : below;
  return refine([&](auto f) {
    using F = decltype(f);
    const auto scaled = [&](const Rational& q) {
      const F ratio = falling_power(F(Rational((q - least) / least)), F(s));
      return F(ratio * scaled_zeta(F(s), F(q)));
    };
    const F positive = scaled(above);
    const F negative = scaled(below);
    const F rest = scaled(beyond);
    const F left = negative - rest;
    const F factor = scale(F(s), F(least), gamma);
    const F all = positive + negative + rest;
    return Ball<F>{factor * (even ? positive + left : positive - left),
                   factor * all * relative_error(F(s))};
  });
}

bool is_integer(const Real& x) { return isfinite(x) && trunc(x) == x; }

bool is_even(const Real& x) { return is_integer(x / 2); }

bool is_pole(const Real& x) { return is_integer(x) && x <= 0; }

// At q = 0, -1, ...; an infinite s counts as even. An s between the integers
// sees no sign of a zero.
Real zeta_at_pole(const Real& s, const Real& q) {
  if (isinf(s) || is_even(s)) return Real::infinity(false);
  if (!is_zero(q)) return Real::nan();
  if (!is_integer(s)) return Real::infinity(false);
  if (s == 1 && signbit(q)) return Real::nan();
  return Real::infinity(signbit(q));
}

Real zeta_at_infinity(const Real& q) {
  if (q < 1) return Real::infinity(false);
  return q == 1 ? 1 : 0;
}

// For q = 1 it is 1 and about 2^-s, which kFar says enough of.
Rational useful_exponent(const Real& s, const Real& q) {
  return rational(q == 1 && s > kFar ? static_cast<double>(kFar) : s);
}

}  // namespace

Real zeta(const Real& s, const Real& q) {
  if (isnan(s) || isnan(q) || s < 1) return Real::nan();
  if (isinf(q) && signbit(q)) return Real::nan();
  if (is_pole(q)) return zeta_at_pole(s, q);
  if (s == 1) return Real::infinity(false);
  if (isinf(q)) return 0;
  if (isinf(s)) return zeta_at_infinity(q);
  if (q > 0) return on_the_right(useful_exponent(s, q), rational(q), false);
  if (!is_integer(s)) return Real::nan();
  return on_the_left(rational(s), rational(q), is_even(s), false);
}

Real polygamma(const Real& n, const Real& x) {
  if (!is_integer(n) || n < 0 || isnan(x)) return Real::nan();
  if (isinf(x)) return signbit(x) ? Real::nan() : Real::zero(is_even(n));
  if (is_pole(x) && !is_even(n)) return Real::infinity(false);
  if (is_pole(x)) return is_zero(x) ? Real::infinity(!signbit(x)) : Real::nan();
  const Rational s = rational(n) + 1;
  const Real magnitude = x > 0 ? on_the_right(s, rational(x), true)
                               : on_the_left(s, rational(x), !is_even(n), true);
  return is_even(n) ? -magnitude : magnitude;
}

}  // namespace hlo::definition
