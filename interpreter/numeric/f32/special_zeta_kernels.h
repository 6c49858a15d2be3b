#pragma once

#include "interpreter/numeric/f32/special_kernels.h"
#include "interpreter/numeric/special/function_names.h"

namespace hlo::numeric {

/// The ends of f(x, y) in double for values of formats up to f32; -inf and +inf
/// where only arbitrary precision helps.
Ends zeta_ends(double s, double q);
Ends polygamma_ends(double n, double x);

/// A function that gives the ends of a value of two arguments.
using Ends2Of = Ends (*)(double, double);

/// The one of these that has the ends of the function, or null.
Ends2Of ends_of(Function2 function);

}  // namespace hlo::numeric
