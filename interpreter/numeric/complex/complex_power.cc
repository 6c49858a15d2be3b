#include "interpreter/numeric/complex/complex_power.h"

// x^y = exp(y log x) for complex numbers, part by part. Which results are
// exact is known for real exponents c (the parts are algebraic):
// * Where c is an integer and x lies on an axis or a diagonal, x^c is a real
//   power and a multiple of 45 degrees.
// * Any other c = m / 2^j with odd m: if a part of r = x^c is a rational number
//   other than 0, then r lies in Q(i). (Automorphisms over Q(i) multiply r and
//   conj r by roots of unity a, b of order 2^j; a rational Re r = (r + conj
//   r)/2 asks for (a - 1) r = (1 - b) conj r. Unless a = b = 1, which puts r in
//   Q(i), |a - 1| = |b - 1|, so that b = a and r is imaginary, or b = 1/a and
//   the angle of r, thus that of x, is pi times a fraction: x lies on an axis
//   or a diagonal, where Re r^2 = |x|^2c (1 + cos 2t) / 2 is rational for
//   angles t at multiples of 45 degrees only. -i r takes the place of r for Im
//   r.) Then x is the 2^j-th power of a number with parts of finitely many
//   bits, which j principal roots find.
// * Integer powers are multiplied out. Powers too long for that have parts of
//   more than 64 bits: the odd factor of a part divides |x|^c, and it could
//   only be short where the part is smaller than |x|^c by 2^-4000. Negative
//   powers off the axes and diagonals have an odd number |x|^2 > 1 as divisor.
// An exponent with an imaginary part d makes |x| = 1 for a part that is 0:
// d log|x| and angles are independent over algebraic numbers (Baker). That
// other parts are irrational is known for real x > 0 (Gelfond and Schneider)
// and follows from Schanuel's conjecture elsewhere.
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/real/enclosure.h"
#include "interpreter/numeric/real/refine.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

constexpr mpfr_rnd_t kNearest = MPFR_RNDN;
// exp of this is beyond every format, even times the least sine of an angle.
constexpr double kExponentLimit = 1e5;
constexpr mpfr_prec_t kWide = 4400;    // more than any |x|^2 has
constexpr mpfr_prec_t kLong = 20'000;  // powers that are multiplied out

/// A complex number whose parts are exact.
struct Exact {
  Exact(Parts z, mpfr_prec_t precision) : re(precision), im(precision) {
    set(re, z.re);
    set(im, z.im);
  }

  Exact(const Exact& z, mpfr_prec_t precision) : re(precision), im(precision) {
    mpfr_set(re.get(), z.re.get(), kNearest);
    mpfr_set(im.get(), z.im.get(), kNearest);
  }

  Real re;
  Real im;
};

// The multiple of 45 degrees where z lies.
std::optional<int> octant(const Exact& z) {
  const int re = mpfr_sgn(z.re.get());
  const int im = mpfr_sgn(z.im.get());
  if (im == 0) return re < 0 ? 4 : 0;
  if (re == 0) return im < 0 ? 6 : 2;
  if (mpfr_cmpabs(z.re.get(), z.im.get()) != 0) return std::nullopt;
  if (re > 0) return im > 0 ? 1 : 7;
  return im > 0 ? 3 : 5;
}

/// The signs of cosine and sine at a multiple of 45 degrees.
struct Direction {
  int re;
  int im;
};

Direction direction_of(double octants) {
  constexpr std::array<int, 8> kCosine = {1, 1, 0, -1, -1, -1, 0, 1};
  const auto turned = static_cast<size_t>(std::fmod(octants, 8) + 8) % 8;
  return {kCosine[turned], kCosine[(turned + 6) % 8]};
}

// An exact zero: +0 as real part; the sign as imaginary part makes powers of
// conjugates conjugates.
Rounded part(Rounded size, int sign, bool negative_zero,
             const FloatFormat& format) {
  if (sign == 0) return exactly(negative_zero ? -0.0 : 0.0, format);
  return with_sign(size, sign < 0, format);
}

RoundedComplex directed(Rounded size, Direction to, bool negative_zero,
                        const FloatFormat& format) {
  return {part(size, to.re, false, format),
          part(size, to.im, negative_zero, format)};
}

bool is_power_of_two(const Real& a) { return mpfr_min_prec(a.get()) == 1; }

// a^n 2^shift for a real a > 0.
Rounded real_power(const Real& a, double n, const Real& factor,
                   const FloatFormat& format) {
  Real exponent(53);
  Real value(kBits);
  set(exponent, n);
  const int ternary = mpfr_pow(value.get(), a.get(), exponent.get(), MPFR_RNDZ);
  mpfr_mul(value.get(), value.get(), factor.get(), MPFR_RNDZ);
  return round_truncated(value, ternary, format);
}

// z^n on axes and diagonals, but for odd powers of diagonals that are not made
// of powers of 2. On diagonals z^2 = 2 a^2 i.
std::optional<RoundedComplex> straight_power(const Exact& z, double n,
                                             bool negative_zero,
                                             const FloatFormat& format) {
  const std::optional<int> at = octant(z);
  if (!at) return std::nullopt;
  const Direction to = direction_of(std::fmod(n, 8) * *at);
  Real a(kWide);
  Real factor(kWide);
  mpfr_set_ui(factor.get(), 1, kNearest);
  mpfr_abs(a.get(), (mpfr_zero_p(z.re.get()) != 0 ? z.im : z.re).get(),
           kNearest);
  if (*at % 2 == 0) {
    return directed(real_power(a, n, factor, format), to, negative_zero,
                    format);
  }
  const bool odd = std::fmod(n, 2) != 0;
  if (odd && !is_power_of_two(a)) return std::nullopt;
  if (odd) mpfr_set(factor.get(), a.get(), kNearest);
  mpfr_sqr(a.get(), a.get(), kNearest);
  mpfr_mul_2ui(a.get(), a.get(), 1, kNearest);
  return directed(real_power(a, (n - (odd ? 1 : 0)) / 2, factor, format), to,
                  negative_zero, format);
}

// How many bits the parts of z span.
double length(const Exact& z) {
  const auto last = [](const Real& x) {
    return mpfr_get_exp(x.get()) -
           static_cast<mpfr_exp_t>(mpfr_min_prec(x.get()));
  };
  const mpfr_exp_t top =
      std::max(mpfr_get_exp(z.re.get()), mpfr_get_exp(z.im.get()));
  return static_cast<double>(top - std::min(last(z.re), last(z.im)) + 1);
}

void multiply(Exact& z, const Exact& by) {
  Real re(kLong);
  mpfr_fmms(re.get(), z.re.get(), by.re.get(), z.im.get(), by.im.get(),
            kNearest);
  mpfr_fmma(z.im.get(), z.re.get(), by.im.get(), z.im.get(), by.re.get(),
            kNearest);
  mpfr_swap(z.re.get(), re.get());
}

Rounded truncated(const Real& exact, const FloatFormat& format) {
  Real value(kBits);
  const int ternary = mpfr_set(value.get(), exact.get(), MPFR_RNDZ);
  return round_truncated(value, ternary, format);
}

// a / (re^2 + im^2).
Rounded over_norm(const Real& a, const Exact& z, bool negative,
                  const FloatFormat& format) {
  Real norm(2 * kLong);
  Real value(kBits);
  mpfr_fmma(norm.get(), z.re.get(), z.re.get(), z.im.get(), z.im.get(),
            kNearest);
  const int ternary = mpfr_div(value.get(), a.get(), norm.get(), MPFR_RNDZ);
  return with_sign(round_truncated(value, ternary, format), negative, format);
}

// z^n multiplied out, where that is short enough; z off the axes.
std::optional<RoundedComplex> exact_power(const Exact& z, double n,
                                          const FloatFormat& format) {
  constexpr double kMargin = 64;
  if (length(z) * std::abs(n) > kLong - kMargin) return std::nullopt;
  Exact power(Parts{1, 0}, kLong);
  Exact factor(z, kLong);
  for (auto left = static_cast<uint64_t>(std::abs(n)); left != 0; left >>= 1) {
    if ((left & 1) != 0) multiply(power, factor);
    if (left > 1) multiply(factor, Exact(factor, kLong));
  }
  if (n > 0)
    return RoundedComplex{truncated(power.re, format),
                          truncated(power.im, format)};
  return RoundedComplex{over_norm(power.re, power, false, format),
                        over_norm(power.im, power, true, format)};
}

// Replaces z by its principal square root, if that has finitely many bits.
bool take_root(Exact& z) {
  Real norm(kWide);
  Real large(kWide);
  Real small(kWide);
  const bool left = mpfr_sgn(z.re.get()) < 0;
  const bool below = mpfr_signbit(z.im.get()) != 0;
  mpfr_fmma(norm.get(), z.re.get(), z.re.get(), z.im.get(), z.im.get(),
            kNearest);
  if (mpfr_sqrt(large.get(), norm.get(), kNearest) != 0) return false;
  mpfr_abs(small.get(), z.re.get(), kNearest);
  mpfr_add(large.get(), large.get(), small.get(), kNearest);
  mpfr_div_2ui(large.get(), large.get(), 1, kNearest);
  if (mpfr_sqrt(large.get(), large.get(), kNearest) != 0) return false;
  mpfr_abs(small.get(), z.im.get(), kNearest);
  if (mpfr_div(small.get(), small.get(), large.get(), kNearest) != 0) {
    return false;
  }
  mpfr_div_2ui(small.get(), small.get(), 1, kNearest);
  mpfr_set(z.re.get(), (left ? small : large).get(), kNearest);
  mpfr_set(z.im.get(), (left ? large : small).get(), kNearest);
  if (below) mpfr_neg(z.im.get(), z.im.get(), kNearest);
  return true;
}

// x^c where algebra knows it: roots, and an integer power.
std::optional<RoundedComplex> algebraic_power(Parts x, double c,
                                              const FloatFormat& format) {
  const bool negative_zero = std::signbit(x.im) != (c < 0);
  if (x.im == 0 &&
      (x.re > 0 || std::fmod(2 * c, 2) == 1 || std::fmod(2 * c, 2) == -1)) {
    const Rounded size = evaluate(Function2::kPower, std::abs(x.re), c, format);
    const double octants = x.re > 0 ? 0 : 4 * std::fmod(c, 2);
    return directed(size, direction_of(std::signbit(x.im) ? -octants : octants),
                    negative_zero, format);
  }
  Exact root(x, kWide);
  double power = c;
  while (power != std::trunc(power)) {
    if (!take_root(root)) return std::nullopt;
    power *= 2;
  }
  if (auto value = straight_power(root, power, negative_zero, format)) {
    return value;
  }
  return exact_power(root, power, format);
}

void clamp(Real& x) {
  if (mpfr_cmp_d(x.get(), kExponentLimit) > 0) set(x, kExponentLimit);
  if (mpfr_cmp_d(x.get(), -kExponentLimit) < 0) set(x, -kExponentLimit);
}

/// What encloses y log x.
struct Exponent {
  Exponent(mpfr_prec_t precision, Parts x, Parts y)
      : re(precision), im(precision) {
    const ExactPair norm(x.re, x.re, x.im, x.im);
    Real up(53);
    Real right(53);
    set(up, x.im);
    set(right, x.re);
    mpfr_log(re.low.get(), norm.get(), MPFR_RNDD);
    mpfr_log(re.high.get(), norm.get(), MPFR_RNDU);
    scale(re, 0.5);
    mpfr_atan2(im.low.get(), up.get(), right.get(), MPFR_RNDD);
    mpfr_atan2(im.high.get(), up.get(), right.get(), MPFR_RNDU);
    Enclosure across(precision);
    Enclosure along(precision);
    copy(across, im);
    copy(along, re);
    scale(re, y.re);
    scale(across, -y.im);
    add(re, across);
    scale(im, y.re);
    scale(along, y.im);
    add(im, along);
  }

  static void copy(Enclosure& to, const Enclosure& from) {
    mpfr_set(to.low.get(), from.low.get(), MPFR_RNDD);
    mpfr_set(to.high.get(), from.high.get(), MPFR_RNDU);
  }

  Enclosure re;
  Enclosure im;
};

Rounded refined_part(RealFunction circular, Parts x, Parts y,
                     const FloatFormat& format) {
  return round_enclosure(format, [&](Enclosure& value) {
    Exponent exponent(value.precision(), x, y);
    turn(value, circular, exponent.im);
    clamp(exponent.re.low);
    clamp(exponent.re.high);
    apply(exponent.re, mpfr_exp);
    multiply(value, exponent.re);
  });
}

// Where |x| = 1 the angle of x^y may be a right one; 0 for a part that is 0.
Direction direction_on_circle(Parts x, Parts y) {
  const bool on_circle =
      (x.re == 0 && std::abs(x.im) == 1) || (x.re == -1 && x.im == 0);
  const double quarters = std::fmod(y.re, 4) * (x.re == 0 ? 1 : 2);
  if (!on_circle || quarters != std::trunc(quarters)) return {1, 1};
  return direction_of(2 * quarters);
}

}  // namespace

RoundedComplex power(Parts x, Parts y, const FloatFormat& format) {
  free_constants_with_thread();
  if (y.im == 0) {
    if (auto value = algebraic_power(x, y.re, format)) return *value;
  }
  const Direction to = direction_on_circle(x, y);
  const bool negative_zero = std::signbit(x.im) != (y.re < 0);
  const Rounded zero = exactly(0, format);
  return {to.re == 0 ? zero : refined_part(mpfr_cos, x, y, format),
          to.im == 0 ? with_sign(zero, negative_zero, format)
                     : refined_part(mpfr_sin, x, y, format)};
}

}  // namespace hlo::numeric
