#pragma once

#include <mpfr.h>

// In the manner of MPFR: a function sets `result` to its value rounded toward
// zero (the mode has to be MPFR_RNDZ), for any precision of the result, and
// returns the sign of the result's error. Special values are those of
// spec/numerics.md; arguments are doubles.
namespace hlo::numeric::special {

/// log |Gamma(x)|.
int lgamma(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode);
/// The derivative of log Gamma at x.
int digamma(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode);

}  // namespace hlo::numeric::special
