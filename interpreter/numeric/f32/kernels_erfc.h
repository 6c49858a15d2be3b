#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "interpreter/numeric/f32/kernel_tables.h"
#include "interpreter/numeric/f32/kernels_exponential.h"
#include "interpreter/numeric/f32/kernels_hermite.h"

namespace hlo::numeric {

/// A kernel (see kernels_exponential.h). |x| = c + h, exactly, for the nearest
/// c in the table, |h| <= 1/128 (an |x| so small that h is rounded has erfc 1
/// but for u):
///
///   erfc(c + h) = erfc c - |erfc'(c)| h S,
///
/// S of kernels_hermite.h with 10 terms. |b_n| is at most the coefficient of
/// t^n in exp(2ct + t^2), so that all |g_n| from n = 11 on add up to less than
/// (|h| / r)^11 exp(2cr + r^2) for every r > |h|: with r = 0.5 and c = 10.5
/// below 2^-50, with a twelfth of that left out of S: less than u.
///
/// Rounding: |2ch| < 0.165 and 2h^2 < 2^-12 make each |g_n| at most 0.17 of the
/// one before; the errors of an operation in the recurrence sum to at most 6u
/// of |g_1| + |g_2| + ... < 0.2. S, in [0.9, 1.1], is off by less than 2u/0.9
/// + 3u, |erfc'| h S by 9u of itself. Divided by |erfc'(c)|, erfc(c) is at
/// least 1 / (c + sqrt(c^2 + 2)) > 0.047 (Mills' ratio) and |h S| < 0.009, or
/// less for small c: the difference, at least 0.8 of erfc(c), has 1.7u from the
/// value, 6u from the product and u of its own. For x < 0 the errors weigh less
/// in 2 - erfc|x| >= 1, and u is added.
struct ErfcKernel {
  static constexpr double kError = 0x1p-49;
  const ErfcTable& table = erfc_table();

  [[gnu::always_inline]] double operator()(double x) const {
    constexpr uint64_t kMask = ErfcTable::kRows - 1;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double a = clamp_argument(std::abs(x), ErfcTable::kEnd);
    const double shifted = a * ErfcTable::kPerUnit + kRoundToInteger;
    const double c = (shifted - kRoundToInteger) / ErfcTable::kPerUnit;
    const double h = a - c;
    const double sum = hermite_mean<10>(c, h);
    const size_t row = std::bit_cast<uint64_t>(shifted) & kMask;
    const double value = table.value[row] - table.slope[row] * h * sum;
    const double positive = x < kInfinity ? value : 0 * value;
    return x < 0 ? 2 - value : positive;
  }
};

}  // namespace hlo::numeric
