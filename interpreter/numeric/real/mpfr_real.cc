#include "interpreter/numeric/real/mpfr_real.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "interpreter/numeric/exact/integer.h"

namespace hlo::numeric {
namespace {

constexpr int64_t kFar = 100'000;  // beyond the exponents of every format

struct Constants {
  Constants() = default;

  ~Constants() { mpfr_free_cache(); }

  Constants(const Constants&) = delete;
  Constants& operator=(const Constants&) = delete;
};

// The products have 106 bits; their exponents say how far apart they lie.
mpfr_prec_t exact_precision(double a, double b, double c, double d) {
  constexpr mpfr_prec_t kProduct = 110;
  if (a == 0 || b == 0 || c == 0 || d == 0) return kProduct;
  const int first = std::ilogb(a) + std::ilogb(b);
  return kProduct + std::abs(first - std::ilogb(c) - std::ilogb(d));
}

}  // namespace

void set(Real& real, double value) { mpfr_set_d(real.get(), value, MPFR_RNDN); }

ExactPair::ExactPair(double a, double b, double c, double d)
    : sum_(exact_precision(a, b, c, d)) {
  Real x(53);
  Real product(106);
  set(x, a);
  mpfr_mul_d(product.get(), x.get(), b, MPFR_RNDN);
  set(x, c);
  mpfr_mul_d(sum_.get(), x.get(), d, MPFR_RNDN);
  mpfr_add(sum_.get(), sum_.get(), product.get(), MPFR_RNDN);
}

Scaled to_scaled(const Real& truncated, int ternary) {
  const bool negative = mpfr_signbit(truncated.get()) != 0;
  const bool sticky = ternary != 0;
  constexpr uint64_t kTop = uint64_t{1} << 63;
  if (mpfr_inf_p(truncated.get()) != 0) return {kTop, kFar, sticky, negative};
  if (mpfr_zero_p(truncated.get()) != 0) {
    return {sticky ? kTop : 0, -kFar, sticky, negative};
  }
  Integer integer;
  const mpfr_exp_t exponent = mpfr_get_z_2exp(integer.get(), truncated.get());
  uint64_t significand = 0;
  mpz_abs(integer.get(), integer.get());
  mpz_export(&significand, nullptr, -1, sizeof significand, 0, 0,
             integer.get());
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
