#pragma once

#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/rounding.h"
#include "interpreter/numeric/real/mpfr_real.h"

// What the tests of this folder share; no program includes it.
namespace hlo::numeric::oracle {

/// The value rounded once to a format of kIeee, by MPFR's own means: the
/// format's precision and exponents, and mpfr_subnormalize.
inline uint64_t round_ieee(mpfr_srcptr value, const FloatFormat& format) {
  const mpfr_exp_t least = mpfr_get_emin();
  const mpfr_exp_t most = mpfr_get_emax();
  mpfr_set_emin(format.min_exponent() - format.mantissa_bits + 1);
  mpfr_set_emax(format.max_exponent() + 1);
  Real rounded(format.precision());
  int ternary = mpfr_set(rounded.get(), value, MPFR_RNDN);
  ternary = mpfr_check_range(rounded.get(), ternary, MPFR_RNDN);
  mpfr_subnormalize(rounded.get(), ternary, MPFR_RNDN);
  const double result = mpfr_get_d(rounded.get(), MPFR_RNDN);
  mpfr_set_emin(least);
  mpfr_set_emax(most);
  return encode(result, format);  // exact: the value is in the format
}

/// The value rounded once to any format of at most 8 bits, by comparing with
/// its values.
inline uint64_t round_by_search(mpfr_srcptr value, const FloatFormat& f) {
  const bool e8m0 = f.specials == Specials::kE8M0;
  const bool negative = mpfr_signbit(value) != 0;
  if (mpfr_nan_p(value) != 0) return nan_code(false, f);
  if (e8m0 && mpfr_sgn(value) <= 0) return f.quiet_nan();
  Real magnitude(mpfr_get_prec(value));
  mpfr_abs(magnitude.get(), value, MPFR_RNDN);
  const uint64_t most = f.max_finite();
  uint64_t low = 0;
  for (uint64_t high = most; low < high;) {
    const uint64_t middle = (low + high + 1) / 2;
    const bool reached = mpfr_cmp_d(magnitude.get(), decode(middle, f)) >= 0;
    (reached ? low : high) = reached ? middle : middle - 1;
  }
  const double gap = low < most ? decode(low + 1, f) - decode(low, f)
                     : e8m0     ? decode(most, f)
                                : decode(most, f) - decode(most - 1, f);
  const int order = mpfr_cmp_d(magnitude.get(), decode(low, f) + gap / 2);
  const uint64_t even = e8m0 ? low + 1 : low + (low & 1);
  const uint64_t nearest = order > 0 ? low + 1 : (order < 0 ? low : even);
  if (nearest > most) return overflow(negative, f).bits;
  if (nearest == 0 && !e8m0) return zero_code(negative, f);
  return negative ? nearest | f.sign_mask() : nearest;
}

/// A stream of random codes and doubles of many kinds.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  uint64_t bits() { return engine_(); }

  int64_t below(int64_t n) {
    return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n));
  }

  /// A finite double with an exponent in [low, high] and a random sign; every
  /// second one has a short significand.
  double real(int low, int high) {
    uint64_t mantissa = engine_() >> 12;
    if ((engine_() & 1) != 0) mantissa &= ~uint64_t{0} << (engine_() % 52);
    const double value =
        std::ldexp(1 + static_cast<double>(mantissa) * 0x1p-52,
                   low + static_cast<int>(below(high - low + 1)));
    return (engine_() & 1) != 0 ? value : -value;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace hlo::numeric::oracle
