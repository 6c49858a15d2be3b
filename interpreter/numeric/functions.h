#pragma once

#include "interpreter/numeric/rounded.h"

namespace hlo::numeric {

/// f(x) by MPFR alone, rounded once; x is neither NaN nor needs to be a value
/// of the format.
Rounded evaluate(Function function, double x, const FloatFormat& format);
Rounded evaluate(Function2 function, double x, double y,
                 const FloatFormat& format);

}  // namespace hlo::numeric
