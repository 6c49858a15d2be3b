#pragma once

#include "interpreter/numeric/complex/complex_function.h"
#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::numeric {

/// exp, 2^z, exp - 1, sinh and cosh of a finite number, by MPFR.
RoundedComplex exponential_family(ComplexFunction function, Parts z,
                                  const FloatFormat& format);

}  // namespace hlo::numeric
