#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "interpreter/numeric/f32/kernel_tables.h"
#include "interpreter/numeric/f32/kernels_exponential.h"
#include "interpreter/numeric/f32/kernels_hermite.h"

namespace hlo::numeric {

/// A kernel (see kernels_exponential.h). |x| = c + h, exactly, for the nearest
/// c in the table, |h| <= 1/32:
///
///   erf(c + h) = erf c + erf'(c) h S,
///
/// S of kernels_hermite.h with 9 terms. As |H_n(c)| < 1.09 sqrt(2^n n!)
/// exp(c^2/2) (Cramer), what is left out is below 1.3 * 2^5 / sqrt(10!) *
/// 32^-11 / 11 * 1.1 < 2^-62, and for c > 0 erf
/// >= 0.035, so that it counts less than u; with c = 0 the term of n = 10 is
/// below h^10 / 1320.
///
/// Rounding: |2ch| <= 0.375 and 2h^2 < 2^-8 make each |g_n| at most 0.38 of the
/// greatest before; an operation's errors in the recurrence sum to at most 6u
/// of |g_1| + |g_2| + ... < 0.61. The sum S of all, in [0.8, 1.25], is off by
/// less than 4u/0.8 + 2u; the slope, h and the products make it 10u. Both terms
/// are at most twice erf (c = 1/16, h = -1/32): 20u, 2u for the value, u for
/// the sum.
struct ErfKernel {
  static constexpr double kError = 0x1p-48;
  const ErfTable& table = erf_table();

  [[gnu::always_inline]] double operator()(double x) const {
    constexpr uint64_t kMask = 127;
    const double a = clamp_argument(std::abs(x), ErfTable::kEnd);
    const double shifted = a * 16 + kRoundToInteger;
    const double c = (shifted - kRoundToInteger) / 16;
    const double h = a - c;
    const double sum = hermite_mean<9>(c, h);
    const size_t row = std::bit_cast<uint64_t>(shifted) & kMask;
    const double value = table.value[row] + table.slope[row] * h * sum;
    return std::copysign(value, x);
  }
};

}  // namespace hlo::numeric
