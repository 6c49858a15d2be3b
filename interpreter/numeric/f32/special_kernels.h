#pragma once

#include "interpreter/numeric/special/function_names.h"

namespace hlo::numeric {

/// What a real value lies between; both ends may be it. Both are NaN where the
/// value is.
struct Ends {
  double low = 0;
  double high = 0;
};

/// The ends of f(x) in double for values x of formats up to f32; -inf and +inf
/// where only arbitrary precision helps.
Ends lgamma_ends(double x);
Ends digamma_ends(double x);
Ends erf_inv_ends(double x);
Ends bessel_i1e_ends(double x);

/// A function that gives the ends of a value.
using EndsOf = Ends (*)(double);

/// The one of these that has the ends of the function, or null.
EndsOf ends_of(Function function);

}  // namespace hlo::numeric
