#pragma once

#include "interpreter/numeric/format/float_format.h"
#include "interpreter/numeric/format/rounded_value.h"
#include "interpreter/numeric/special/function_names.h"

namespace hlo::numeric {

class Real;

/// f(x) by MPFR alone, rounded once; x is neither NaN nor needs to be a value
/// of the format.
Rounded evaluate(Function function, double x, const FloatFormat& format);
/// f(x, y) by MPFR alone, rounded once; x and y need not be values of the
/// format.
Rounded evaluate(Function2 function, double x, double y,
                 const FloatFormat& format);

/// f(x) by MPFR at any precision: sets `result`, of at least 64 bits, to f(x)
/// rounded toward zero, and returns the sign of the result's error.
int evaluate(Function function, double x, Real& result);
/// f(x, y) by MPFR at any precision: sets `result`, of at least 64 bits, to it
/// rounded toward zero, and returns the sign of the result's error.
int evaluate(Function2 function, double x, double y, Real& result);

}  // namespace hlo::numeric
