#include "interpreter/numeric/complex/complex_functions.h"

// Functions of finite complex numbers, part by part. What is proved to be
// irrational or transcendental is refined until 64 bits are certain; the
// algebraic functions test for exact results.
#include <mpfr.h>

#include <algorithm>
#include <cmath>

#include "interpreter/numeric/complex/complex_arithmetic.h"
#include "interpreter/numeric/complex/complex_cube_root.h"
#include "interpreter/numeric/complex/complex_exponential.h"
#include "interpreter/numeric/complex/complex_inverse.h"
#include "interpreter/numeric/complex/complex_logarithm.h"
#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/numeric/real/refine.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

constexpr mpfr_rnd_t kNearest = MPFR_RNDN;
constexpr double kUnderflow = 1000;  // exp(-1000) is below every format
// From here on exp(-x) is below 2^-86, while no double lies closer than 2^-62
// to an odd multiple of pi/2 (Muller, Elementary Functions, 11.3.2): the sign
// of the cosine alone says on which side of 1 a saturated function lies.
constexpr double kSaturated = 60;

// sqrt((|z| + a) / 2) > 0, or for rsqrt that over |z|: the size of the real
// part of the root of z = a + bi, and with -a that of the imaginary part. Each
// of the six operations is off by at most half a unit: fewer than 2^3 in all.
mpfr_prec_t root_part(Real& value, mpfr_prec_t precision, double a, double b,
                      bool reciprocal) {
  Real x(53);
  Real y(53);
  Real norm(precision);
  set(x, std::abs(a));
  set(y, std::abs(b));
  mpfr_hypot(norm.get(), x.get(), y.get(), kNearest);
  mpfr_add(value.get(), norm.get(), x.get(), kNearest);
  mpfr_div_2ui(value.get(), value.get(), 1, kNearest);
  mpfr_sqrt(value.get(), value.get(), kNearest);
  if (a < 0) {  // |b| / (2 sqrt((|z| + |a|) / 2)) does not cancel
    mpfr_div(value.get(), y.get(), value.get(), kNearest);
    mpfr_div_2ui(value.get(), value.get(), 1, kNearest);
  }
  if (reciprocal) mpfr_div(value.get(), value.get(), norm.get(), kNearest);
  return precision - 4;
}

// Whether c is that part exactly: with n = |z|^2 for rsqrt and 1 for sqrt it
// solves 4 c^4 n^2 - 4 a c^2 n = b^2, as no other positive number does.
bool is_root_part(const Real& c, double a, double b, bool reciprocal) {
  constexpr mpfr_prec_t kExact = 20'000;
  const ExactPair norm =
      reciprocal ? ExactPair(a, a, b, b) : ExactPair(1, 1, 0, 0);
  Real x(53);
  Real square(kExact);
  Real left(kExact);
  mpfr_sqr(square.get(), c.get(), kNearest);
  mpfr_mul(square.get(), square.get(), norm.get(), kNearest);
  mpfr_mul_2ui(square.get(), square.get(), 1, kNearest);  // 2 c^2 n
  set(x, a);
  mpfr_mul_2ui(left.get(), x.get(), 1, kNearest);
  mpfr_sub(left.get(), square.get(), left.get(), kNearest);
  mpfr_mul(left.get(), left.get(), square.get(), kNearest);
  set(x, b);
  mpfr_sqr(square.get(), x.get(), kNearest);
  return mpfr_equal_p(left.get(), square.get()) != 0;
}

Rounded root(double a, double b, bool reciprocal, const FloatFormat& format) {
  return refine(
      format,
      [&](Real& value, mpfr_prec_t precision) {
        return root_part(value, precision, a, b, reciprocal);
      },
      [&](const Real& c) { return is_root_part(c, a, b, reciprocal); });
}

Rounded real_root(double x, const FloatFormat& format) {
  Real argument(53);
  Real value(kBits);
  set(argument, x);
  const int ternary = mpfr_sqrt(value.get(), argument.get(), MPFR_RNDZ);
  return round_truncated(value, ternary, format);
}

RoundedComplex square_root(Parts z, bool reciprocal,
                           const FloatFormat& format) {
  const bool below = std::signbit(z.im) != reciprocal;
  if (z.im == 0) {
    const Rounded zero = exactly(below ? -0.0 : 0.0, format);
    if (z.re == 0) return {exactly(0, format), zero};
    const double magnitude = std::abs(z.re);
    const Rounded value = reciprocal
                              ? evaluate(Function::kRsqrt, magnitude, format)
                              : real_root(magnitude, format);
    if (z.re > 0) return {value, zero};
    return {exactly(0, format), with_sign(value, below, format)};
  }
  return {root(z.re, z.im, reciprocal, format),
          with_sign(root(-z.re, z.im, reciprocal, format), below, format)};
}

// tanh(x + iy) = (beta rho s + i t) / (1 + beta s^2) for s = sinh x,
// rho = cosh x, t = tan y, beta = 1 + t^2 (Kahan): nothing cancels, and fewer
// than 2^4 half units add up. Its parts are transcendental for x, y not 0.
mpfr_prec_t tangent_part(Real& value, mpfr_prec_t precision, Parts z,
                         bool imaginary) {
  Real x(53);
  Real s(precision);
  Real rho(precision);
  Real t(precision);
  Real beta(precision);
  set(x, z.re);
  mpfr_sinh_cosh(s.get(), rho.get(), x.get(), kNearest);
  set(x, z.im);
  mpfr_tan(t.get(), x.get(), kNearest);
  mpfr_sqr(beta.get(), t.get(), kNearest);
  mpfr_add_ui(beta.get(), beta.get(), 1, kNearest);
  mpfr_mul(beta.get(), beta.get(), s.get(), kNearest);
  mpfr_mul(value.get(), beta.get(), s.get(), kNearest);
  mpfr_add_ui(value.get(), value.get(), 1, kNearest);
  if (!imaginary) mpfr_mul(t.get(), beta.get(), rho.get(), kNearest);
  mpfr_div(value.get(), t.get(), value.get(), kNearest);
  return precision - 5;
}

// 1 or -1, and a trifle beyond or before it.
Rounded almost_one(bool negative, bool beyond, const FloatFormat& format) {
  Real one(kBits);
  mpfr_set_ui(one.get(), 1, MPFR_RNDZ);
  if (!beyond) mpfr_nextbelow(one.get());
  return with_sign(round_truncated(one, 1, format), negative, format);
}

bool cosine_is_negative(double angle) {
  const FloatFormat& f64 = format(ElementType::kF64);
  return sign_bit(evaluate(Function::kCosine, angle, f64).bits, f64);
}

RoundedComplex tangent(Parts z, const FloatFormat& format) {
  if (z.im == 0) {
    return {evaluate(Function::kTanh, z.re, format), exactly(z.im, format)};
  }
  if (z.re == 0) {
    return {exactly(z.re, format), evaluate(Function::kTan, z.im, format)};
  }
  const Parts near{std::clamp(z.re, -kUnderflow, kUnderflow), z.im};
  const auto part = [&](bool imaginary) {
    return refine(format, [&](Real& value, mpfr_prec_t precision) {
      return tangent_part(value, precision, near, imaginary);
    });
  };
  if (std::abs(z.re) < kSaturated) return {part(false), part(true)};
  // Larger than 1 in magnitude where cos 2y < 0, that is |tan y| > 1.
  const FloatFormat& f64 = numeric::format(ElementType::kF64);
  const double tan = decode(evaluate(Function::kTan, z.im, f64).bits, f64);
  return {almost_one(z.re<0, std::abs(tan)> 1, format), part(true)};
}

// 1 / (1 + exp(-z)) = (exp(x) + cos y + i sin y) / (4 (sinh^2(x/2) +
// cos^2(y/2))); only exp(x) + cos y can cancel, and by how much its exponent
// says.
mpfr_prec_t logistic_part(Real& value, mpfr_prec_t precision, Parts z,
                          bool imaginary) {
  Real x(53);
  Real power(precision);
  Real square(precision);
  set(x, z.re);
  mpfr_exp(power.get(), x.get(), kNearest);
  mpfr_div_2ui(x.get(), x.get(), 1, kNearest);
  mpfr_sinh(value.get(), x.get(), kNearest);
  mpfr_sqr(value.get(), value.get(), kNearest);
  set(x, z.im);
  mpfr_div_2ui(x.get(), x.get(), 1, kNearest);
  mpfr_cos(square.get(), x.get(), kNearest);
  mpfr_sqr(square.get(), square.get(), kNearest);
  mpfr_add(value.get(), value.get(), square.get(), kNearest);
  mpfr_mul_2ui(value.get(), value.get(), 2, kNearest);
  set(x, z.im);
  (imaginary ? mpfr_sin : mpfr_cos)(square.get(), x.get(), kNearest);
  mpfr_prec_t lost = 0;
  if (!imaginary) {
    const mpfr_exp_t before =
        std::max(mpfr_get_exp(power.get()), mpfr_get_exp(square.get()));
    mpfr_add(square.get(), square.get(), power.get(), kNearest);
    if (mpfr_zero_p(square.get()) != 0) return 0;
    lost = std::max<mpfr_exp_t>(0, before - mpfr_get_exp(square.get()));
  }
  mpfr_div(value.get(), square.get(), value.get(), kNearest);
  return precision - 6 - lost;
}

RoundedComplex logistic(Parts z, const FloatFormat& format) {
  if (z.im == 0) {
    return {evaluate(Function::kLogistic, z.re, format), exactly(z.im, format)};
  }
  const Parts near{std::clamp(z.re, -kUnderflow, kUnderflow), z.im};
  const auto part = [&](bool imaginary) {
    return refine(format, [&](Real& value, mpfr_prec_t precision) {
      return logistic_part(value, precision, near, imaginary);
    });
  };
  if (z.re == 0) return {exactly(0.5, format), part(true)};
  if (z.re < kSaturated) return {part(false), part(true)};
  return {almost_one(false, cosine_is_negative(z.im), format), part(true)};
}

}  // namespace

RoundedComplex evaluate(ComplexFunction function, Parts z,
                        const FloatFormat& format) {
  free_constants_with_thread();
  switch (function) {
    case ComplexFunction::kNegate:
      return {exactly(-z.re, format), exactly(-z.im, format)};
    case ComplexFunction::kSign:
      return {direction(z.re, z.im, format), direction(z.im, z.re, format)};
    case ComplexFunction::kSqrt:
      return square_root(z, false, format);
    case ComplexFunction::kRsqrt:
      return square_root(z, true, format);
    case ComplexFunction::kTanh:
      return tangent(z, format);
    case ComplexFunction::kLogistic:
      return logistic(z, format);
    case ComplexFunction::kExponential:
    case ComplexFunction::kExponential2:
    case ComplexFunction::kExponentialMinusOne:
    case ComplexFunction::kSinh:
    case ComplexFunction::kCosh:
      return exponential_family(function, z, format);
    case ComplexFunction::kLog:
    case ComplexFunction::kLog2:
    case ComplexFunction::kLog10:
    case ComplexFunction::kLogPlusOne:
      return logarithm_family(function, z, format);
    case ComplexFunction::kCbrt:
      return cube_root(z, format);
    case ComplexFunction::kAsinAcosKernel:
      return arc_kernel(z, format);
    default:
      return inverse_family(function, z, format);
  }
}

}  // namespace hlo::numeric
