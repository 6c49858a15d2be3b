#include "interpreter/numeric/complex/complex_logarithm.h"

// Logarithms of finite complex numbers, part by part: half the logarithm of
// the exact |z|^2, and the angle. MPFR knows the exact ones (powers of the
// base). The other parts are transcendental: so are logarithms of algebraic
// numbers (Lindemann), and an algebraic angle / log b = r would make
// b^(ir) = z / |z| algebraic, against Gelfond and Schneider.
#include <mpfr.h>

#include <cmath>

#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/real/enclosure.h"
#include "interpreter/numeric/real/refine.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

// All sums of squares of doubles, and their sums with doubles, are exact.
constexpr mpfr_prec_t kExact = 4400;

Rounded half_logarithm(RealFunction log, mpfr_srcptr square,
                       const FloatFormat& format) {
  Real value(kBits);
  const int ternary = log(value.get(), square, MPFR_RNDZ);
  if (mpfr_regular_p(value.get()) != 0) {
    mpfr_div_2ui(value.get(), value.get(), 1, MPFR_RNDZ);
  }
  return round_truncated(value, ternary, format);
}

RoundedComplex logarithm(RealFunction log, unsigned base, Parts z,
                         const FloatFormat& format) {
  const ExactPair square(z.re, z.re, z.im, z.im);
  return {half_logarithm(log, square.get(), format),
          angle(z.im, z.re, base, format)};
}

// |1 + z|^2 = 1 + (x^2 + y^2 + 2x).
RoundedComplex logarithm_plus_one(Parts z, const FloatFormat& format) {
  Real y(53);
  Real x(kExact);
  Real value(kBits);
  set(x, z.re);
  set(y, z.im);
  mpfr_add_ui(x.get(), x.get(), 1, MPFR_RNDN);
  const int ternary = mpfr_atan2(value.get(), y.get(), x.get(), MPFR_RNDZ);
  const Rounded turned = round_truncated(value, ternary, format);
  if (z.im == 0 && z.re > -1) {
    return {evaluate(Function::kLogPlusOne, z.re, format), turned};
  }
  const ExactPair norm(z.re, z.re, z.im, z.im);
  set(x, z.re);
  mpfr_mul_2ui(x.get(), x.get(), 1, MPFR_RNDN);
  mpfr_add(x.get(), x.get(), norm.get(), MPFR_RNDN);
  return {half_logarithm(mpfr_log1p, x.get(), format), turned};
}

}  // namespace

Rounded angle(double y, double x, unsigned base, const FloatFormat& format) {
  const Rounded plain = evaluate(Function2::kAtan2, y, x, format);
  const bool zero =
      !std::signbit(x) && (y == 0 || (std::isinf(x) && !std::isinf(y)));
  if (base == 1 || zero || std::isnan(x) || std::isnan(y)) return plain;
  return round_enclosure(format, [&](Enclosure& value) {
    Real up(53);
    Real right(53);
    Enclosure divisor(value.precision());
    set(up, y);
    set(right, x);
    mpfr_atan2(value.low.get(), up.get(), right.get(), MPFR_RNDD);
    mpfr_atan2(value.high.get(), up.get(), right.get(), MPFR_RNDU);
    mpfr_set_ui(divisor.low.get(), base, MPFR_RNDN);
    mpfr_set_ui(divisor.high.get(), base, MPFR_RNDN);
    apply(divisor, mpfr_log);
    divide(value, divisor);
  });
}

RoundedComplex logarithm_family(ComplexFunction function, Parts z,
                                const FloatFormat& format) {
  switch (function) {
    case ComplexFunction::kLog2:
      return logarithm(mpfr_log2, 2, z, format);
    case ComplexFunction::kLog10:
      return logarithm(mpfr_log10, 10, z, format);
    case ComplexFunction::kLogPlusOne:
      return logarithm_plus_one(z, format);
    default:
      return logarithm(mpfr_log, 1, z, format);
  }
}

}  // namespace hlo::numeric
