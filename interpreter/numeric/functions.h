#pragma once

#include "interpreter/numeric/rounded.h"

namespace hlo::numeric {

class Real;

/// f(x) by MPFR alone, rounded once; x is neither NaN nor needs to be a value
/// of the format.
Rounded evaluate(Function function, double x, const FloatFormat& format);
Rounded evaluate(Function2 function, double x, double y,
                 const FloatFormat& format);

/// The same at any precision: sets `result`, of at least 64 bits, to f(x)
/// rounded toward zero, and returns the sign of the result's error.
int evaluate(Function function, double x, Real& result);
int evaluate(Function2 function, double x, double y, Real& result);

}  // namespace hlo::numeric
