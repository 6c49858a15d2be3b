#include "interpreter/numeric/complex/complex_arithmetic.h"

// Products, quotients and magnitudes of finite complex numbers, part by part.
#include <mpfr.h>

#include <cmath>

#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/numeric/real/refine.h"

namespace hlo::numeric {
namespace {

// The sign of an exact zero a*b + c*d, as IEEE addition gives it.
double zero_of(double a, double b, double c, double d) {
  const bool cancelled = (a != 0 && b != 0) || (c != 0 && d != 0);
  return cancelled ? 0.0 : a * b + c * d;
}

}  // namespace

Rounded sum_of_products(double a, double b, double c, double d,
                        const FloatFormat& format) {
  const ExactPair sum(a, b, c, d);
  if (mpfr_zero_p(sum.get()) != 0) return exactly(zero_of(a, b, c, d), format);
  Real value(kBits);
  const int ternary = mpfr_set(value.get(), sum.get(), MPFR_RNDZ);
  return round_truncated(value, ternary, format);
}

Rounded quotient_of_sums(double a, double b, double c, double d, double e,
                         double f, const FloatFormat& format) {
  const ExactPair top(a, b, c, d);
  if (mpfr_zero_p(top.get()) != 0) return exactly(zero_of(a, b, c, d), format);
  const ExactPair bottom(e, e, f, f);
  Real value(kBits);
  const int ternary = mpfr_div(value.get(), top.get(), bottom.get(), MPFR_RNDZ);
  return round_truncated(value, ternary, format);
}

Rounded hypotenuse(double a, double b, const FloatFormat& format) {
  Real x(53);
  Real y(53);
  Real value(kBits);
  set(x, a);
  set(y, b);
  const int ternary = mpfr_hypot(value.get(), x.get(), y.get(), MPFR_RNDZ);
  return round_truncated(value, ternary, format);
}

Rounded direction(double a, double b, const FloatFormat& format) {
  if (a == 0) return exactly(a, format);
  const ExactPair square(a, a, b, b);
  Real x(53);
  set(x, a);
  // Two operations of half a unit.
  const auto compute = [&](Real& value, mpfr_prec_t precision) {
    mpfr_sqrt(value.get(), square.get(), MPFR_RNDN);
    mpfr_div(value.get(), x.get(), value.get(), MPFR_RNDN);
    return precision - 3;
  };
  // c = a / |z| where c^2 |z|^2 = a^2: at most 2 * 64 + 4400 bits.
  const auto exact = [&](const Real& c) {
    Real left(5000);
    Real right(106);
    mpfr_sqr(left.get(), c.get(), MPFR_RNDN);
    mpfr_mul(left.get(), left.get(), square.get(), MPFR_RNDN);
    mpfr_sqr(right.get(), x.get(), MPFR_RNDN);
    return mpfr_equal_p(left.get(), right.get()) != 0;
  };
  return refine(format, compute, exact);
}

}  // namespace hlo::numeric
