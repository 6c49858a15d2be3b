#pragma once

#include "interpreter/definition/extended_real.h"

// Functions that MPFR does not have, rounded to odd (rounded_to_odd.h) for
// values of codes; special values are those of spec/numerics.md. NaN gives NaN.
namespace hlo::definition {

/// 1 / (1 + exp(-x))
Real logistic(const Real& x);
/// The y with erf(y) = x.
Real erf_inv(const Real& x);
/// exp(-|x|) I_1(x)
Real bessel_i1e(const Real& x);
/// The sum of (q + n)^-s for n = 0, 1, 2, ...
Real zeta(const Real& s, const Real& q);
/// The n-th derivative of digamma at x, for n other than 0.
Real polygamma(const Real& n, const Real& x);

}  // namespace hlo::definition
