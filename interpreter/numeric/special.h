#pragma once

#include <mpfr.h>

// The special functions in arbitrary precision, in the manner of MPFR: each
// sets `result` to its value rounded toward zero (the mode has to be
// MPFR_RNDZ), for any precision of the result, and returns the sign of the
// result's error. Special values are those of spec/numerics.md; x is a double.
namespace hlo::numeric::special {

int erfc(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode);
int erf_inv(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode);
/// log |Gamma(x)|
int lgamma(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode);
int digamma(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode);
/// exp(-|x|) I_1(x)
int bessel_i1e(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode);
/// The sum of (q + n)^-s for n = 0, 1, 2, ...
int zeta(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr q, mpfr_rnd_t mode);
/// The n-th derivative of digamma at x.
int polygamma(mpfr_ptr result, mpfr_srcptr n, mpfr_srcptr x, mpfr_rnd_t mode);

}  // namespace hlo::numeric::special
