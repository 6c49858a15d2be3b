#pragma once

#include "interpreter/numeric/complex/complex_function.h"
#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::numeric {

/// The function of a finite number, by MPFR.
RoundedComplex evaluate(ComplexFunction function, Parts z,
                        const FloatFormat& format);

}  // namespace hlo::numeric
