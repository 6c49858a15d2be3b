#pragma once

#include "interpreter/numeric/complex_function.h"
#include "interpreter/numeric/complex_parts.h"
#include "interpreter/numeric/formats.h"

namespace hlo::numeric {

/// The function of a finite number, by MPFR.
RoundedComplex evaluate(ComplexFunction function, Parts z,
                        const FloatFormat& format);

}  // namespace hlo::numeric
