#pragma once

#include "interpreter/definition/numbers/extended_real.h"

// Functions that MPFR does not have, rounded to odd (rounded_to_odd.h) for
// values of codes; special values are those of spec/numerics.md. NaN gives NaN.
namespace hlo::definition {

/// 1 / (1 + exp(-x))
Real logistic(const Real& x);
/// The y with erf(y) = x.
Real erf_inv(const Real& x);
/// exp(-|x|) I_1(x)
Real bessel_i1e(const Real& x);
}  // namespace hlo::definition
