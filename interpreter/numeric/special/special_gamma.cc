#include "interpreter/numeric/special/special_gamma.h"

#include <mpfr.h>

namespace hlo::numeric::special {

// +inf at 0, -1, -2, ... and at both infinities, +0 at 1 and 2.
int lgamma(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  int sign = 0;
  return mpfr_lgamma(result, &sign, x, mode);
}

// -inf at +0, +inf at -0, NaN at -1, -2, ... and -inf.
int digamma(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  return mpfr_digamma(result, x, mode);
}

}  // namespace hlo::numeric::special
