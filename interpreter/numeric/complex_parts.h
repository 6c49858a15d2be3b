#pragma once

#include <optional>

#include "interpreter/numeric/complex.h"

namespace hlo::numeric {

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
