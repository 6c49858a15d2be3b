#include "interpreter/definition/numbers/rounded_to_odd.h"

#include <algorithm>

#include "interpreter/definition/numbers/exact_numbers.h"

namespace hlo::definition {
namespace {

// MPFR keeps pi and the like for each thread.
struct Constants {
  Constants() = default;

  ~Constants() { mpfr_free_cache(); }

  Constants(const Constants&) = delete;
  Constants& operator=(const Constants&) = delete;
};

void free_constants_with_thread() {
  static const thread_local Constants constants;
}

Real far(bool large, bool negative) {
  const Real x = Real(power_of_two(large ? kFar : -kFar));
  return negative ? -x : x;
}

}  // namespace

mpfr_prec_t bits_of(const Real& x) {
  const Whole top = abs(numerator(rational(x)));
  return top == 0 ? kOddBits
                  : std::max(kOddBits, static_cast<mpfr_prec_t>(msb(top) + 1));
}

void assign(mpfr_ptr number, const Real& x) {
  free_constants_with_thread();
  mpfr_set_q(number, rational(x).backend().data(), MPFR_RNDN);
  if (isinf(x)) mpfr_set_inf(number, 1);
  if (isnan(x)) mpfr_set_nan(number);
  mpfr_setsign(number, number, signbit(x) ? 1 : 0, MPFR_RNDN);
}

Truncated::Truncated() {
  free_constants_with_thread();
  mpfr_init2(value_, kOddBits);
}

Truncated::Truncated(const Real& x) {
  mpfr_init2(value_, bits_of(x));
  assign(value_, x);
}

Real rounded_to_odd(mpfr_srcptr truncated, int ternary) {
  const bool negative = mpfr_signbit(truncated) != 0;
  if (mpfr_nan_p(truncated) != 0) return Real::nan();
  if (mpfr_inf_p(truncated) != 0) return Real::infinity(negative);
  if (mpfr_zero_p(truncated) != 0) {
    return ternary == 0 ? Real::zero(negative) : far(false, negative);
  }
  if (mpfr_get_exp(truncated) > kFar) return far(true, negative);
  if (mpfr_get_exp(truncated) <= -kFar) return far(false, negative);
  Whole significand;
  const mpfr_exp_t exponent =
      mpfr_get_z_2exp(significand.backend().data(), truncated);
  significand = abs(significand);
  if (ternary != 0) bit_set(significand, 0);
  const Real magnitude = Real(Rational(significand * power_of_two(exponent)));
  return negative ? -magnitude : magnitude;
}

}  // namespace hlo::definition
