#include "interpreter/definition/functions/mpc_functions.h"

#include <mpc.h>

#include "interpreter/definition/functions/real_functions.h"
#include "interpreter/definition/numbers/rounded_to_odd.h"

namespace hlo::definition {
namespace {

using MpcFunction = int (*)(mpc_ptr, mpc_srcptr, mpc_rnd_t);

class Number {
 public:
  Number() { mpc_init2(value_, kOddBits); }

  explicit Number(const Complex& z) {
    mpc_init3(value_, bits_of(z.re), bits_of(z.im));
    assign(mpc_realref(value_), z.re);
    assign(mpc_imagref(value_), z.im);
  }

  ~Number() { mpc_clear(value_); }

  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;

  mpc_ptr get() { return value_; }

 private:
  mpc_t value_;
};

/// Whether x^2 - y^2 = 1: MPC's inverse functions do not end there, for the
/// real part of 1 - z^2 is zero.
bool is_on_hyperbola(const Complex& z) {
  return isfinite(z) && !is_zero(z.im) && z.re * z.re - z.im * z.im == Real(1);
}

/// (k pi - acos u) / 2, rounded to odd, for 0 < u < 1 and k > 0: an irrational
/// number, off by less than 8 units in its last place.
Real half_of_turns_but_acos(unsigned long k, const Real& u) {
  Truncated argument(u);
  for (mpfr_prec_t bits = 2 * kOddBits;; bits *= 2) {
    mpfr_t value;
    mpfr_t turns;
    mpfr_init2(value, bits);
    mpfr_init2(turns, bits);
    mpfr_acos(value, argument.get(), MPFR_RNDN);
    mpfr_const_pi(turns, MPFR_RNDN);
    mpfr_mul_ui(turns, turns, k, MPFR_RNDN);
    mpfr_sub(value, turns, value, MPFR_RNDN);
    mpfr_div_2ui(value, value, 1, MPFR_RNDN);
    const bool is_decided =
        mpfr_can_round(value, bits - 3, MPFR_RNDN, MPFR_RNDZ, kOddBits) != 0;
    Truncated rounded;
    const int ternary = mpfr_set(rounded.get(), value, MPFR_RNDZ);
    mpfr_clear(value);
    mpfr_clear(turns);
    if (is_decided) return rounded_to_odd(rounded.get(), ternary);
  }
}

// With w = |x| + |y| and |x| - |y| = 1 / w the angle is half of acos(w^-2), and
// the size half of acosh(w^2).
Real size_on_hyperbola(const Complex& z) {
  const Real w = fabs(z.re) + fabs(z.im);
  return rounded_to_odd(numeric::Function::kAcosh, w * w) / 2;
}

Real cosine_on_hyperbola(const Complex& z) {
  const Real inverse = fabs(z.re) - fabs(z.im);
  return inverse * inverse;
}

Complex acos_on_hyperbola(const Complex& z) {
  const Real u = cosine_on_hyperbola(z);
  const Real angle = signbit(z.re)
                         ? half_of_turns_but_acos(2, u)
                         : rounded_to_odd(numeric::Function::kAcos, u) / 2;
  return {angle, copysign(size_on_hyperbola(z), -z.im)};
}

Complex asin_on_hyperbola(const Complex& z) {
  const Real angle = half_of_turns_but_acos(1, cosine_on_hyperbola(z));
  return {copysign(angle, z.re), copysign(size_on_hyperbola(z), z.im)};
}

Complex parts_to_odd(mpc_srcptr truncated, int ternary) {
  return {rounded_to_odd(mpc_realref(truncated), MPC_INEX_RE(ternary)),
          rounded_to_odd(mpc_imagref(truncated), MPC_INEX_IM(ternary))};
}

Complex call(MpcFunction function, const Complex& z) {
  Number argument(z);
  Number result;
  const int ternary = function(result.get(), argument.get(), MPC_RNDZZ);
  return parts_to_odd(result.get(), ternary);
}

// f(conj z) = conj f(z), for NaN with the sign -, too.
Complex mirrored(MpcFunction f, const Complex& z) {
  return signbit(z.im) ? conj(call(f, conj(z))) : call(f, z);
}

// NaN with the sign + as imaginary part.
Complex above(const Complex& z) {
  return {z.re, isnan(z.im) ? Real::nan() : z.im};
}

// f(-z) = -f(z)
Complex odd(MpcFunction f, const Complex& z) {
  return signbit(z.re) ? -mirrored(f, -z) : mirrored(f, z);
}

// i conj z, the parts in the other order.
Complex swapped(const Complex& z) { return {z.im, z.re}; }

// Beyond that tanh z is 1, but for a trifle of some sign.
Real limited(const Real& x) {
  constexpr double kSaturated = 1000;
  return isfinite(x) && fabs(x) > kSaturated ? copysign(kSaturated, x) : x;
}

}  // namespace

Complex sqrt(const Complex& z) { return mirrored(mpc_sqrt, above(z)); }

Complex exp(const Complex& z) { return mirrored(mpc_exp, above(z)); }

// Where |z| is next to 1, MPC's real part is not always the rounded one.
Complex log(const Complex& z) {
  Complex value = mirrored(mpc_log, z);
  if (!isfinite(z)) return value;
  return {rounded_to_odd(numeric::Function::kLog, norm(z)) / 2, value.im};
}

Complex log10(const Complex& z) {
  Complex value = mirrored(mpc_log10, z);
  if (!isfinite(z)) return value;
  return {rounded_to_odd(numeric::Function::kLog10, norm(z)) / 2, value.im};
}

Complex sinh(const Complex& z) { return odd(mpc_sinh, z); }

// A zero beside NaN has the sign of the zero that it comes from, or +.
Complex cosh(const Complex& z) {
  const Complex c = call(mpc_cosh, {fabs(z.re), fabs(z.im)});
  if (isnan(c.re)) {
    return {c.re, copysign(c.im, isnan(z.re) ? z.im : Real(1))};
  }
  return signbit(z.re) != signbit(z.im) ? conj(c) : c;
}

Complex tanh(const Complex& z) {
  if (is_zero(z.re) && !isfinite(z.im)) return {z.re, Real::nan()};
  return odd(mpc_tanh, {limited(z.re), z.im});
}

Complex acos(const Complex& z) {
  return is_on_hyperbola(z) ? acos_on_hyperbola(z) : mirrored(mpc_acos, z);
}

Complex acosh(const Complex& z) {
  const auto [angle, size] = acos(Complex{z.re, fabs(z.im)});
  return {fabs(size), copysign(angle, above(z).im)};
}

Complex asinh(const Complex& z) {
  return is_on_hyperbola(swapped(z)) ? swapped(asin_on_hyperbola(swapped(z)))
                                     : odd(mpc_asinh, z);
}

Complex atanh(const Complex& z) { return odd(mpc_atanh, z); }

Complex sin(const Complex& z) { return swapped(sinh(swapped(z))); }

Complex cos(const Complex& z) { return cosh({z.im, -z.re}); }

Complex tan(const Complex& z) { return swapped(tanh(swapped(z))); }

Complex asin(const Complex& z) {
  return is_on_hyperbola(z) ? asin_on_hyperbola(z) : swapped(asinh(swapped(z)));
}

Complex atan(const Complex& z) { return swapped(atanh(swapped(z))); }

// MPC takes (-1 - 0i)^0.5 for i, as if the base lay above its cut.
Complex moderate_power(const Complex& z, const Complex& w) {
  if (signbit(z.im)) return conj(moderate_power(conj(z), conj(w)));
  Number base(z);
  Number exponent(w);
  Number result;
  const int ternary =
      mpc_pow(result.get(), base.get(), exponent.get(), MPC_RNDZZ);
  return parts_to_odd(result.get(), ternary);
}

}  // namespace hlo::definition
