#pragma once

#include "interpreter/numeric/complex/complex_function.h"
#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/format/float_format.h"
#include "interpreter/numeric/format/rounded_value.h"

namespace hlo::numeric {

/// log, log2, log10 and log(1 + z) of a finite number, by MPFR.
RoundedComplex logarithm_family(ComplexFunction function, Parts z,
                                const FloatFormat& format);
/// The angle of the point (x, y) divided by log(base), or the angle itself for
/// base 1; x, y may be infinite or zeros with signs.
Rounded angle(double y, double x, unsigned base, const FloatFormat& format);

}  // namespace hlo::numeric
