#pragma once

#include <mpfr.h>

// Functions by MPFR alone, for rivals of the reference: not proved, but with
// far more bits than it takes, and of another make.
namespace hlo::conformance {

/// A number of MPFR.
class Number {
 public:
  explicit Number(mpfr_prec_t precision) { mpfr_init2(value_, precision); }

  ~Number() { mpfr_clear(value_); }

  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;

  mpfr_ptr get() { return value_; }

  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

/// Sets the result to f(x, y), or f(x), rounded by the mode, and returns the
/// sign of its error, as MPFR does it.
using Exact = int (*)(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y,
                      mpfr_rnd_t mode);

int exact_logistic(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y,
                   mpfr_rnd_t mode);
int exact_rsqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode);
int exact_erf_inv(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y,
                  mpfr_rnd_t mode);
int exact_lgamma(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y,
                 mpfr_rnd_t mode);
int exact_digamma(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y,
                  mpfr_rnd_t mode);
int exact_bessel_i1e(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y,
                     mpfr_rnd_t mode);

}  // namespace hlo::conformance
