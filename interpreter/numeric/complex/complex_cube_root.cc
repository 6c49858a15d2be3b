#include "interpreter/numeric/complex/complex_cube_root.h"

// The principal cube root c + is of z = a + bi, part by part.
#include <mpfr.h>

#include <cmath>

#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/real/refine.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

constexpr mpfr_rnd_t kNearest = MPFR_RNDN;

// |z|^(1/3) times the cosine or the sine of a third of the angle, which is at
// most pi/3: neither loses anything, and eight half units add up.
mpfr_prec_t root_part(Real& value, mpfr_prec_t precision, Parts z,
                      bool imaginary) {
  Real x(53);
  Real y(53);
  Real size(precision);
  set(x, z.re);
  set(y, z.im);
  mpfr_atan2(value.get(), y.get(), x.get(), kNearest);
  mpfr_div_ui(value.get(), value.get(), 3, kNearest);
  (imaginary ? mpfr_sin : mpfr_cos)(value.get(), value.get(), kNearest);
  mpfr_hypot(size.get(), x.get(), y.get(), kNearest);
  mpfr_cbrt(size.get(), size.get(), kNearest);
  mpfr_mul(value.get(), value.get(), size.get(), kNearest);
  return precision - 5;
}

// Whether c is that part exactly. From c^3 - 3cs^2 = a and 3c^2 s - s^3 = b
// follows (c^3 - a)(8c^3 + a)^2 = 27 c^3 b^2, and for the other part
// (s^3 + b)(8s^3 - b)^2 = 27 s^3 a^2. The parts of the other two roots solve
// the same; those that are numbers of 64 bits are no nearer to c than 2^-1000
// of it, as 8c^3 + a, of at most 300 bits, would else be 0.
bool is_root_part(const Real& c, Parts z, bool imaginary) {
  constexpr mpfr_prec_t kExact = 20'000;
  constexpr mpfr_prec_t kFar = 2048;
  Real a(53);
  Real b(53);
  set(a, imaginary ? -z.im : z.re);
  set(b, imaginary ? z.re : z.im);
  Real cube(kExact);
  Real left(kExact);
  Real right(kExact);
  mpfr_pow_ui(cube.get(), c.get(), 3, kNearest);
  mpfr_mul_2ui(left.get(), cube.get(), 3, kNearest);
  mpfr_add(left.get(), left.get(), a.get(), kNearest);
  mpfr_sqr(left.get(), left.get(), kNearest);
  mpfr_sub(right.get(), cube.get(), a.get(), kNearest);
  mpfr_mul(left.get(), left.get(), right.get(), kNearest);
  mpfr_sqr(right.get(), b.get(), kNearest);
  mpfr_mul(right.get(), right.get(), cube.get(), kNearest);
  mpfr_mul_ui(right.get(), right.get(), 27, kNearest);
  if (mpfr_equal_p(left.get(), right.get()) == 0) return false;
  Real value(kFar);
  root_part(value, kFar, z, imaginary);
  mpfr_sub(value.get(), value.get(), c.get(), kNearest);
  return mpfr_zero_p(value.get()) != 0 ||
         mpfr_get_exp(value.get()) < mpfr_get_exp(c.get()) - 1000;
}

Rounded root(Parts z, bool imaginary, const FloatFormat& format) {
  return refine(
      format,
      [&](Real& value, mpfr_prec_t precision) {
        return root_part(value, precision, z, imaginary);
      },
      [&](const Real& c) { return is_root_part(c, z, imaginary); });
}

}  // namespace

RoundedComplex cube_root(Parts z, const FloatFormat& format) {
  if (z.im == 0 && !(z.re < 0)) {
    return {evaluate(Function::kCbrt, z.re == 0 ? 0 : z.re, format),
            exactly(z.im, format)};
  }
  // A zero's sign says from which side the cut is reached.
  const Parts above{z.re, std::abs(z.im)};
  return {root(above, false, format),
          with_sign(root(above, true, format), std::signbit(z.im), format)};
}

}  // namespace hlo::numeric
