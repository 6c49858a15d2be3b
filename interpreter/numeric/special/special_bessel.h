#pragma once

#include <mpfr.h>

// In the manner of MPFR: a function sets `result` to its value rounded toward
// zero (the mode has to be MPFR_RNDZ), for any precision of the result, and
// returns the sign of the result's error. Special values are those of
// spec/numerics.md; arguments are doubles.
namespace hlo::numeric::special {

/// exp(-|x|) I_1(x).
int bessel_i1e(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode);

}  // namespace hlo::numeric::special
