#pragma once

#include "interpreter/numeric/format/float_format.h"
#include "interpreter/numeric/format/rounded_value.h"

namespace hlo::numeric {

/// a*b + c*d; finite numbers.
Rounded sum_of_products(double a, double b, double c, double d,
                        const FloatFormat& format);
/// (a*b + c*d) / (e*e + f*f); finite numbers, e or f not 0.
Rounded quotient_of_sums(double a, double b, double c, double d, double e,
                         double f, const FloatFormat& format);
/// sqrt(a^2 + b^2) as C's hypot.
Rounded hypotenuse(double a, double b, const FloatFormat& format);
/// a / sqrt(a^2 + b^2); finite numbers, not both 0.
Rounded direction(double a, double b, const FloatFormat& format);

}  // namespace hlo::numeric
