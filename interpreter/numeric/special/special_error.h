#pragma once

#include <mpfr.h>

// In the manner of MPFR: a function sets `result` to its value rounded toward
// zero (the mode has to be MPFR_RNDZ), for any precision of the result, and
// returns the sign of the result's error. Special values are those of
// spec/numerics.md; arguments are doubles.
namespace hlo::numeric::special {

/// 1 - erf(x).
int erfc(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode);
/// The x whose erf is the argument.
int erf_inv(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode);

}  // namespace hlo::numeric::special
