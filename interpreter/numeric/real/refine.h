#pragma once

#include <mpfr.h>

#include "interpreter/numeric/real/mpfr_real.h"

namespace hlo::numeric {

/// What the rounding step wants to know of a number.
inline constexpr mpfr_prec_t kBits = 64;

/// Rounds what compute(value, precision) gives, which returns the number of
/// correct leading bits, at growing precision; `exact`, which is asked once 64
/// bits stay uncertain, says whether the nearest number of 64 bits is the
/// value.
template <typename Compute, typename Exact>
Rounded refine(const FloatFormat& format, const Compute& compute,
               const Exact& exact) {
  Real result(kBits);
  for (mpfr_prec_t precision = 128;; precision *= 2) {
    Real value(precision);
    const mpfr_prec_t correct = compute(value, precision);
    if (correct > kBits && mpfr_can_round(value.get(), correct, MPFR_RNDN,
                                          MPFR_RNDZ, kBits) != 0) {
      mpfr_set(result.get(), value.get(), MPFR_RNDZ);
      return round_truncated(result, 1, format);
    }
    mpfr_set(result.get(), value.get(), MPFR_RNDN);
    if (exact(result)) return round_truncated(result, 0, format);
  }
}

template <typename Compute>
Rounded refine(const FloatFormat& format, const Compute& compute) {
  return refine(format, compute, [](const Real&) { return false; });
}

}  // namespace hlo::numeric
