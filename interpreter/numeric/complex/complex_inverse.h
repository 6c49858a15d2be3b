#pragma once

#include "interpreter/numeric/complex/complex_function.h"
#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::numeric {

/// acos, acosh, asinh and atanh of a finite number, by MPFR.
RoundedComplex inverse_family(ComplexFunction function, Parts z,
                              const FloatFormat& format);
/// The real part of sqrt(1 - z^2), and the size of the imaginary part of
/// asin z; z is finite.
RoundedComplex arc_kernel(Parts z, const FloatFormat& format);

}  // namespace hlo::numeric
