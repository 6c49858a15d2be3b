#pragma once

#include <mpfr.h>

// In the manner of MPFR: a function sets `result` to its value rounded toward
// zero (the mode has to be MPFR_RNDZ), for any precision of the result, and
// returns the sign of the result's error. Special values are those of
// spec/numerics.md; arguments are doubles.
namespace hlo::numeric::special {

/// Hurwitz' zeta: the sum of (q + n)^-s for n = 0, 1, 2, ...
int zeta(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr q, mpfr_rnd_t mode);
/// The n-th derivative of digamma at x.
int polygamma(mpfr_ptr result, mpfr_srcptr n, mpfr_srcptr x, mpfr_rnd_t mode);

}  // namespace hlo::numeric::special
