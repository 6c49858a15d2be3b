#pragma once

#include <mpfr.h>

#include "interpreter/definition/numbers/extended_real.h"

namespace hlo::definition {

/// So many bits of a real number are kept, and the last one is made odd where
/// they are not all: whatever format that is rounded to then, ties and all, the
/// result is that of the number itself.
inline constexpr mpfr_prec_t kOddBits = 80;
/// Numbers from 2^kFar on overflow in every format and become 2^kFar; those
/// below 2^-kFar vanish and become 2^-kFar.
inline constexpr int64_t kFar = 1300;

/// The number of kOddBits bits, which has been rounded toward zero, to odd;
/// `ternary` is what MPFR returned. NaN has the sign +.
Real rounded_to_odd(mpfr_srcptr truncated, int ternary);

/// How many bits hold x, which is no fraction but of a power of 2: kOddBits or
/// more.
mpfr_prec_t bits_of(const Real& x);
/// Sets the number to x, rounded to nearest in its precision.
void assign(mpfr_ptr number, const Real& x);

/// An MPFR number of kOddBits bits, NaN at first.
class Truncated {
 public:
  Truncated();
  /// The number x, in more bits if it has more; none but powers of 2 divide.
  explicit Truncated(const Real& x);

  ~Truncated() { mpfr_clear(value_); }

  Truncated(const Truncated&) = delete;
  Truncated& operator=(const Truncated&) = delete;

  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

}  // namespace hlo::definition
