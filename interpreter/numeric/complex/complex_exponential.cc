#include "interpreter/numeric/complex/complex_exponential.h"

// Exponentials of finite complex numbers, part by part: a positive factor of
// the real part times a cosine or sine of the imaginary one. No part of the
// values is an algebraic number, as long as neither x nor y is 0: parts of
// exp, sinh and cosh are sums of exponentials of distinct algebraic numbers
// that are not 0 (Lindemann and Weierstrass), and of 2^z = 2^x w for w = 2^iy
// they are 2^x (w +- 1/w) / 2 with w transcendental (Gelfond and Schneider).
#include <mpfr.h>

#include <algorithm>
#include <cmath>

#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/real/enclosure.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

// exp of this is beyond every format, even times the least sine of a double.
constexpr double kExponentLimit = 1e5;
// exp(-1000) is below every format.
constexpr double kUnderflow = 1000;

void enclose_value(Enclosure& result, RealFunction f, double x) {
  Real argument(53);
  set(argument, x);
  f(result.low.get(), argument.get(), MPFR_RNDD);
  f(result.high.get(), argument.get(), MPFR_RNDU);
}

// The angle of the power of e or 2 with the exponent iy.
void enclose_angle(Enclosure& angle, double y, bool binary) {
  mpfr_set_ui(angle.low.get(), 1, MPFR_RNDN);
  mpfr_set_ui(angle.high.get(), 1, MPFR_RNDN);
  if (binary) {
    mpfr_const_log2(angle.low.get(), MPFR_RNDD);
    mpfr_const_log2(angle.high.get(), MPFR_RNDU);
  }
  scale(angle, y);
}

// size(x) times the sine or cosine of y, or of y log 2 for powers of 2.
void enclose_spiral(Enclosure& value, RealFunction size, RealFunction circular,
                    Parts z) {
  Enclosure angle(value.precision());
  enclose_angle(angle, z.im, size == mpfr_exp2);
  turn(value, circular, angle);
  Enclosure factor(value.precision());
  enclose_value(factor, size,
                std::clamp(z.re, -kExponentLimit, kExponentLimit));
  multiply(value, factor);
}

Rounded spiral(RealFunction size, RealFunction circular, Parts z,
               const FloatFormat& format) {
  return round_enclosure(format, [&](Enclosure& value) {
    enclose_spiral(value, size, circular, z);
  });
}

RoundedComplex exponential(RealFunction size, Function real, Parts z,
                           const FloatFormat& format) {
  if (z.im == 0) return {evaluate(real, z.re, format), exactly(z.im, format)};
  return {spiral(size, mpfr_cos, z, format), spiral(size, mpfr_sin, z, format)};
}

// exp(x) cos y - 1 cancels next to 0 and elsewhere: more precision tells. Far
// to the left the value is -1, and a trifle on the side of the cosine's sign.
RoundedComplex exponential_minus_one(Parts z, const FloatFormat& format) {
  if (z.im == 0) {
    return {evaluate(Function::kExponentialMinusOne, z.re, format),
            exactly(z.im, format)};
  }
  const Parts near{std::max(z.re, -kUnderflow), z.im};
  const auto real = [&](Enclosure& value) {
    enclose_spiral(value, mpfr_exp, mpfr_cos, near);
    mpfr_sub_ui(value.low.get(), value.low.get(), 1, MPFR_RNDD);
    mpfr_sub_ui(value.high.get(), value.high.get(), 1, MPFR_RNDU);
  };
  return {round_enclosure(format, real), spiral(mpfr_exp, mpfr_sin, z, format)};
}

bool is_negative(Function function, double x) {
  const FloatFormat& f64 = format(ElementType::kF64);
  return (evaluate(function, x, f64).bits & f64.sign_mask()) != 0;
}

Rounded zero(bool negative, const FloatFormat& format) {
  return exactly(negative ? -0.0 : 0.0, format);
}

// sinh x cos y + i cosh x sin y.
RoundedComplex sinh(Parts z, const FloatFormat& format) {
  const bool negative = std::signbit(z.re);
  if (z.im == 0) {
    return {evaluate(Function::kSinh, z.re, format), exactly(z.im, format)};
  }
  if (z.re == 0) {
    return {zero(negative != is_negative(Function::kCosine, z.im), format),
            evaluate(Function::kSine, z.im, format)};
  }
  const Parts right{std::abs(z.re), z.im};
  return {
      with_sign(spiral(mpfr_sinh, mpfr_cos, right, format), negative, format),
      spiral(mpfr_cosh, mpfr_sin, right, format)};
}

// cosh x cos y + i sinh x sin y.
RoundedComplex cosh(Parts z, const FloatFormat& format) {
  const bool negative = std::signbit(z.re);
  if (z.im == 0) {
    return {evaluate(Function::kCosh, z.re, format),
            zero(negative != std::signbit(z.im), format)};
  }
  if (z.re == 0) {
    return {evaluate(Function::kCosine, z.im, format),
            zero(negative != is_negative(Function::kSine, z.im), format)};
  }
  const Parts right{std::abs(z.re), z.im};
  return {
      spiral(mpfr_cosh, mpfr_cos, right, format),
      with_sign(spiral(mpfr_sinh, mpfr_sin, right, format), negative, format)};
}

}  // namespace

RoundedComplex exponential_family(ComplexFunction function, Parts z,
                                  const FloatFormat& format) {
  switch (function) {
    case ComplexFunction::kExponential2:
      return exponential(mpfr_exp2, Function::kExponential2, z, format);
    case ComplexFunction::kExponentialMinusOne:
      return exponential_minus_one(z, format);
    case ComplexFunction::kSinh:
      return sinh(z, format);
    case ComplexFunction::kCosh:
      return cosh(z, format);
    default:
      return exponential(mpfr_exp, Function::kExponential, z, format);
  }
}

}  // namespace hlo::numeric
