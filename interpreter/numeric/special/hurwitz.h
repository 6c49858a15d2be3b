#pragma once

#include <mpfr.h>

#include "interpreter/numeric/real/enclosure.h"

namespace hlo::numeric {

/// Sums and differences of doubles and small integers are exact with so many
/// bits: from 2^1024 down to 2^-1074.
inline constexpr mpfr_prec_t kExact = 2176;

/// (q / a)^s for 0 < q <= a.
void set_power_of_ratio(Enclosure& power, mpfr_srcptr q, mpfr_srcptr a,
                        mpfr_srcptr s);
/// q^s times Hurwitz' zeta(s, q), the sum of (q / (q + n))^s for n = 0, 1, ...:
/// at least 1. s > 1 and q > 0 are such sums of doubles.
void set_hurwitz_sum(Enclosure& sum, mpfr_srcptr s, mpfr_srcptr q);

}  // namespace hlo::numeric
