#pragma once

#include <mpfr.h>

namespace hlo::conformance {

/// Hurwitz' zeta function, as an Exact function of exact.h, for q > -2^13, or
/// an integer.
int exact_zeta(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr q, mpfr_rnd_t mode);
/// The polygamma function, as an Exact function of exact.h, for x > -2^13, or
/// an integer.
int exact_polygamma(mpfr_ptr result, mpfr_srcptr n, mpfr_srcptr x,
                    mpfr_rnd_t mode);

}  // namespace hlo::conformance
