#include "interpreter/numeric/real.h"

#include <cstdint>

namespace hlo::numeric {
namespace {

constexpr int64_t kFar = 100'000;  // beyond the exponents of every format

struct Constants {
  Constants() = default;

  ~Constants() { mpfr_free_cache(); }

  Constants(const Constants&) = delete;
  Constants& operator=(const Constants&) = delete;
};

}  // namespace

Scaled to_scaled(const Real& truncated, int ternary) {
  const bool negative = mpfr_signbit(truncated.get()) != 0;
  const bool sticky = ternary != 0;
  constexpr uint64_t kTop = uint64_t{1} << 63;
  if (mpfr_inf_p(truncated.get()) != 0) return {kTop, kFar, sticky, negative};
  if (mpfr_zero_p(truncated.get()) != 0) {
    return {sticky ? kTop : 0, -kFar, sticky, negative};
  }
  mpz_t integer;
  mpz_init(integer);
  const mpfr_exp_t exponent = mpfr_get_z_2exp(integer, truncated.get());
  uint64_t significand = 0;
  mpz_abs(integer, integer);
  mpz_export(&significand, nullptr, -1, sizeof significand, 0, 0, integer);
  mpz_clear(integer);
  return {significand, exponent, sticky, negative};
}

Rounded round_truncated(const Real& truncated, int ternary,
                        const FloatFormat& format) {
  const bool negative = mpfr_signbit(truncated.get()) != 0;
  if (mpfr_nan_p(truncated.get()) != 0) return {nan_code(false, format), 0};
  if (mpfr_inf_p(truncated.get()) != 0 && ternary == 0) {
    const Rounded rounded = overflow(negative, format);
    return {rounded.bits, format.has_infinity() ? 0 : rounded.side};
  }
  return round_scaled(to_scaled(truncated, ternary), format);
}

void free_constants_with_thread() {
  static const thread_local Constants constants;
}

}  // namespace hlo::numeric
