#pragma once

#include <optional>

#include "interpreter/numeric/complex.h"

namespace hlo::numeric {

/// A value of the format.
inline Rounded exactly(double value, const FloatFormat& format) {
  return {encode(value, format), 0};
}

/// The number or its negative.
inline Rounded with_sign(Rounded magnitude, bool negative,
                         const FloatFormat& format) {
  if (!negative) return magnitude;
  return {magnitude.bits ^ format.sign_mask(), -magnitude.side};
}

/// The exact values of a complex number's parts.
struct Parts {
  double re = 0;
  double im = 0;

  friend bool operator==(const Parts&, const Parts&) = default;
};

/// The result where a part is infinite or NaN, or a divisor is 0; nothing where
/// the functions below are to be used.
std::optional<RoundedComplex> special(ComplexFunction function, Parts z,
                                      const FloatFormat& format);
std::optional<RoundedComplex> special2(ComplexFunction2 function, Parts x,
                                       Parts y, const FloatFormat& format);

/// The function of a finite number, by MPFR.
RoundedComplex evaluate(ComplexFunction function, Parts z,
                        const FloatFormat& format);
/// The same for exp, 2^z, exp - 1, sinh, cosh;
RoundedComplex exponential_family(ComplexFunction function, Parts z,
                                  const FloatFormat& format);
/// for log, log2, log10, log(1 + z);
RoundedComplex logarithm_family(ComplexFunction function, Parts z,
                                const FloatFormat& format);
/// for acos, acosh, asinh, atanh.
RoundedComplex inverse_family(ComplexFunction function, Parts z,
                              const FloatFormat& format);
/// The principal cube root of a finite number.
RoundedComplex cube_root(Parts z, const FloatFormat& format);
/// sqrt(1 - z^2), its real part, and the size of the imaginary part of asin z.
RoundedComplex arc_kernel(Parts z, const FloatFormat& format);
/// x^y; finite numbers, x not 0.
RoundedComplex power(Parts x, Parts y, const FloatFormat& format);
/// -i log((x + iy) / sqrt(x^2 + y^2)); finite numbers, x^2 + y^2 not 0.
RoundedComplex complex_angle(Parts y, Parts x, const FloatFormat& format);

/// The angle of the point (x, y) divided by log(base), or the angle itself for
/// base 1; x, y may be infinite or zeros with signs.
Rounded angle(double y, double x, unsigned base, const FloatFormat& format);
/// a*b + c*d, and its quotient by e*e + f*f; finite numbers, e or f not 0.
Rounded sum_of_products(double a, double b, double c, double d,
                        const FloatFormat& format);
Rounded quotient_of_sums(double a, double b, double c, double d, double e,
                         double f, const FloatFormat& format);
/// sqrt(a^2 + b^2) as C's hypot.
Rounded hypotenuse(double a, double b, const FloatFormat& format);
/// a / sqrt(a^2 + b^2); finite, not both 0.
Rounded direction(double a, double b, const FloatFormat& format);

}  // namespace hlo::numeric
