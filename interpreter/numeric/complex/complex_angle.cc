#include "interpreter/numeric/complex/complex_angle.h"

// The complex angle w = u + iv of y = a + bi and x = c + di,
// w = -i log(P / N) with P = x + iy and N = sqrt(x^2 + y^2) = sqrt(P Q),
// Q = x - iy. (P / N)^2 = P / Q, so that v = log(|Q|^2 / |P|^2) / 4, and 2u is
// the angle of P conj(Q) = |x|^2 - |y|^2 + 2i (ac + bd) but for whole turns:
// u lies on the right where cos u is positive, and cos w = x / N makes that
// the sign of Re(x conj N). All these numbers are exact. exp(iu), exp(v) are
// algebraic: u, v are transcendental where they are not 0 (Lindemann), and
// every refinement ends.
#include <mpfr.h>

#include <cmath>

#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/real/enclosure.h"
#include "interpreter/numeric/real/refine.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

constexpr mpfr_rnd_t kNearest = MPFR_RNDN;
// Sums of products of two doubles have bits from 2^-2148 to 2^2051.
constexpr mpfr_prec_t kExact = 4400;
// Products of four such sums.
constexpr mpfr_prec_t kFourfold = 4 * kExact;

int sign_of(double x) { return (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0); }

/// x^2 + y^2.
struct SquareSum {
  SquareSum(Parts y, Parts x) : re(kExact), im(kExact) {
    const ExactPair left(x.re, x.re, -x.im, x.im);
    const ExactPair right(y.re, y.re, -y.im, y.im);
    mpfr_add(re.get(), left.get(), right.get(), kNearest);
    Real first(106);
    Real second(106);
    product(first, x);
    product(second, y);
    // The zero of cd + ab is -0 where both products are.
    mpfr_add(im.get(), first.get(), second.get(), kNearest);
    mpfr_mul_2ui(im.get(), im.get(), 1, kNearest);
  }

  Real re;
  Real im;

 private:
  static void product(Real& result, Parts z) {
    Real other(53);
    set(result, z.re);
    set(other, z.im);
    mpfr_mul(result.get(), result.get(), other.get(), kNearest);
  }
};

// The sign of (c^2 - d^2) |w| + (c^2 + d^2) Re w.
int sign_of_difference(Parts x, const SquareSum& w) {
  const ExactPair difference(x.re, x.re, -x.im, x.im);
  const int left = mpfr_sgn(difference.get());
  const int right = mpfr_sgn(w.re.get());
  if (left * right >= 0) return left != 0 ? left : right;
  const ExactPair sum(x.re, x.re, x.im, x.im);
  Real one(kFourfold);
  Real other(kFourfold);
  mpfr_fmma(one.get(), w.re.get(), w.re.get(), w.im.get(), w.im.get(),
            kNearest);
  mpfr_mul(one.get(), one.get(), difference.get(), kNearest);
  mpfr_mul(one.get(), one.get(), difference.get(), kNearest);
  mpfr_mul(other.get(), sum.get(), w.re.get(), kNearest);
  mpfr_sqr(other.get(), other.get(), kNearest);
  const int more = mpfr_cmp(one.get(), other.get());
  if (more == 0) return 0;
  return more > 0 ? left : right;
}

// The sign of Re(x conj N) = c Re N + d Im N, for N = sqrt(w). 2 (Re N)^2 =
// |w| + Re w, 2 (Im N)^2 = |w| - Re w.
int side(Parts x, const SquareSum& w) {
  const bool real = mpfr_zero_p(w.im.get()) != 0;
  const int horizontal = real && mpfr_sgn(w.re.get()) <= 0 ? 0 : 1;
  const int vertical = mpfr_signbit(w.im.get()) != 0 ? -1 : 1;
  const int flat = real && mpfr_sgn(w.re.get()) >= 0 ? 0 : vertical;
  const int left = horizontal * sign_of(x.re);
  const int right = flat * sign_of(x.im);
  if (left * right >= 0) return left != 0 ? left : right;
  return left * sign_of_difference(x, w);
}

// Half the angle of P conj(Q) from the positive axis, or where cos u is
// negative pi minus that.
Rounded half_turn(const Real& up, const Real& right, bool beyond,
                  const FloatFormat& format) {
  return round_enclosure(format, [&](Enclosure& value) {
    mpfr_atan2(value.low.get(), up.get(), right.get(), MPFR_RNDD);
    mpfr_atan2(value.high.get(), up.get(), right.get(), MPFR_RNDU);
    scale(value, 0.5);
    if (!beyond) return;
    Enclosure half(value.precision());
    mpfr_const_pi(half.low.get(), MPFR_RNDD);
    mpfr_const_pi(half.high.get(), MPFR_RNDU);
    subtract(half, value);
    mpfr_swap(value.low.get(), half.low.get());
    mpfr_swap(value.high.get(), half.high.get());
  });
}

Rounded real_part(Parts y, Parts x, const FloatFormat& format) {
  const SquareSum w(y, x);
  const int to = side(x, w);
  if (to == 0) {
    return evaluate(Function2::kAtan2, side(y, w), 0, format);
  }
  const ExactPair along(y.re, x.re, y.im, x.im);
  const int turned = mpfr_sgn(along.get());
  if (turned == 0) {
    const double rise = y.re + x.im;  // of P; its zero tells the cut's sides
    return evaluate(Function2::kAtan2, rise == 0 ? rise : 0, to, format);
  }
  Real up(kExact);
  Real right(kExact);
  const ExactPair far(x.re, x.re, x.im, x.im);
  const ExactPair near(y.re, y.re, y.im, y.im);
  mpfr_sub(right.get(), far.get(), near.get(), kNearest);
  mpfr_abs(up.get(), along.get(), kNearest);
  mpfr_mul_2ui(up.get(), up.get(), 1, kNearest);
  const bool below = (turned < 0) != (to < 0);
  return with_sign(half_turn(up, right, to < 0, format), below, format);
}

// (c - b)^2 + (d + a)^2.
void set_norm(Real& norm, Parts y, Parts x) {
  Real left(kExact);
  Real right(kExact);
  Real part(53);
  set(left, x.re);
  set(part, y.im);
  mpfr_sub(left.get(), left.get(), part.get(), kNearest);
  set(right, x.im);
  set(part, y.re);
  mpfr_add(right.get(), right.get(), part.get(), kNearest);
  mpfr_fmma(norm.get(), left.get(), left.get(), right.get(), right.get(),
            kNearest);
}

// |Q|^2 - |P|^2 = 4 (bc - ad).
Rounded imaginary_part(Parts y, Parts x, const FloatFormat& format) {
  const ExactPair across(y.im, x.re, -y.re, x.im);
  const int sign = mpfr_sgn(across.get());
  if (sign == 0) {
    const bool below = std::signbit(y.im) != std::signbit(x.re);
    return exactly(below ? -0.0 : 0.0, format);
  }
  Real norm(kExact);
  Real size(kExact);
  set_norm(norm, sign > 0 ? y : Parts{-y.re, -y.im}, x);
  mpfr_abs(size.get(), across.get(), kNearest);
  const Rounded value = round_enclosure(format, [&](Enclosure& height) {
    Enclosure divisor(height.precision());
    enclose(divisor, norm.get());
    enclose(height, size.get());
    scale(height, 4);
    divide(height, divisor);
    apply(height, mpfr_log1p);
    scale(height, 0.25);
  });
  return with_sign(value, sign < 0, format);
}

}  // namespace

RoundedComplex complex_angle(Parts y, Parts x, const FloatFormat& format) {
  free_constants_with_thread();
  return {real_part(y, x, format), imaginary_part(y, x, format)};
}

}  // namespace hlo::numeric
