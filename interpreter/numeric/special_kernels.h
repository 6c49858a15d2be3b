#pragma once

#include "interpreter/numeric/rounded.h"

namespace hlo::numeric {

/// What a real value lies between; both ends may be it. Both are NaN where the
/// value is.
struct Ends {
  double low = 0;
  double high = 0;
};

/// f(x) in double for values x of formats up to f32; -inf and +inf where only
/// arbitrary precision helps.
Ends lgamma_ends(double x);
Ends digamma_ends(double x);
Ends erf_inv_ends(double x);
Ends bessel_i1e_ends(double x);
/// The same for two arguments.
Ends zeta_ends(double s, double q);
Ends polygamma_ends(double n, double x);

using EndsOf = Ends (*)(double);

using Ends2Of = Ends (*)(double, double);

/// One of these, or null for another function.
EndsOf ends_of(Function function);
Ends2Of ends_of(Function2 function);

}  // namespace hlo::numeric
