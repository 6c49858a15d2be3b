#pragma once

#include <mpfr.h>

#include "interpreter/numeric/format/rounding.h"

namespace hlo::numeric {

/// An MPFR number of `precision` bits.
class Real {
 public:
  explicit Real(mpfr_prec_t precision) { mpfr_init2(value_, precision); }

  ~Real() { mpfr_clear(value_); }

  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;

  mpfr_ptr get() { return value_; }

  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

/// Sets a number of at least 53 bits; exact.
void set(Real& real, double value);

/// a*b + c*d without any rounding; finite numbers.
class ExactPair {
 public:
  ExactPair(double a, double b, double c, double d);

  mpfr_srcptr get() const { return sum_.get(); }

 private:
  Real sum_;
};

/// What a number of 64 bits that was rounded toward zero says: `ternary` is
/// what MPFR returned. Finite numbers only.
Scaled to_scaled(const Real& truncated, int ternary);
/// That number rounded to the format; infinities and NaN too.
Rounded round_truncated(const Real& truncated, int ternary,
                        const FloatFormat& format);
/// Has MPFR free its constants when the calling thread ends.
void free_constants_with_thread();

}  // namespace hlo::numeric
