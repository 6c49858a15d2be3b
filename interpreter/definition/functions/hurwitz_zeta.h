#pragma once

#include "interpreter/definition/numbers/extended_real.h"

namespace hlo::definition {

/// The sum of (q + n)^-s for n = 0, 1, 2, ..., rounded to odd
/// (rounded_to_odd.h) for values of codes; NaN gives NaN.
Real zeta(const Real& s, const Real& q);
/// The n-th derivative of digamma at x, for n other than 0, rounded to odd for
/// values of codes; NaN gives NaN.
Real polygamma(const Real& n, const Real& x);

}  // namespace hlo::definition
