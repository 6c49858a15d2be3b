#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/f64/double_approximation.h"
#include "interpreter/numeric/f64/double_tables.h"

// log and its relatives in pairs of doubles.
namespace hlo::numeric {

/// Up to here log(1 + r) is one series.
inline constexpr double kLogSeries = 0x1p-8;

/// log(1 + r) for 2^-100 < |r| <= 2^-8 with an error below 2^-84 |r|.
///
/// The series; what is left out is below 2^-99 |r|. q is off by less than 3.2u
/// / 5 (its first constant, product and sums), x q with r's second part by less
/// than 5.3u 2^-8 / 5 = 2^-60.9, which weighs r^4 <= 2^-24 |r|.
template <Product P>
DoubleDouble<P> log_series(DoubleDouble<P> r) {
  using Pair = DoubleDouble<P>;
  constexpr HiLo kThird = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
  const double x = r.hi;
  const double x2 = x * x;
  const double q0 = 1.0 / 5 - x * (1.0 / 6);
  const double q1 = 1.0 / 7 - x * (1.0 / 8);
  const double q2 = 1.0 / 9 - x * (1.0 / 10);
  const double q3 = 1.0 / 11 - x * (1.0 / 12);
  const double q = q0 + x2 * (q1 + x2 * (q2 + x2 * q3));
  const Pair fourth(fast_two_sum(0.25, -(x * q)));
  const Pair third = add_lesser(Pair(kThird), -(r * fourth));
  const Pair second = add_lesser(Pair(0.5), -(r * third));
  return add_lesser(r, -(r * r * second));
}

/// log(x) for a positive normal x with an error below 2^-83 of it, where x is
/// not within 2^-100 of 1.
///
/// x = 2^e m, m in [0.707, 1.414); log x = e ln 2 - log(factor) + log(1 + r),
/// r = m factor - 1. Next to 1 the factor is 1, e is 0, and r is exact: the
/// error is that of the series. Else |log x| > 2^-9.1 and |r| <= 2^-8 is off by
/// less than 2^-105. Of the three terms each is at most 0.6 of the sum of those
/// before, where that is not 0, so that the sums add 2^-101; e ln 2 is off
/// by less than 2^-95 e.
template <Product P>
DoubleDouble<P> logarithm(DoubleDouble<P> x) {
  using Pair = DoubleDouble<P>;
  constexpr uint64_t kFraction = (uint64_t{1} << 52) - 1;
  const LogTable& table = log_table();
  const auto bits = std::bit_cast<uint64_t>(x.hi);
  const auto row = static_cast<size_t>(bits >> 44 & 0xff);
  const int below_1 = row >= LogTable::kUpper ? 1 : 0;
  const int exponent = static_cast<int>(bits >> 52) - 1023 + below_1;
  const auto unit = static_cast<uint64_t>(1023 - below_1) << 52;
  const auto m = std::bit_cast<double>((bits & kFraction) | unit);
  // Numbers beyond 2^1000 are sums 1 + x, whose second part is at most 1.
  const double low = exponent > 1000 ? 0 : x.lo * power_of_two(-exponent);
  const LogTable::Row& entry = table.rows[row];
  const HiLo product = two_product_short<P>(m, entry.factor);
  const Pair r(two_sum(product.hi - 1, product.lo + low * entry.factor));
  const HiLo twos =
      fast_two_sum(exponent * table.ln2.hi, exponent * table.ln2.lo);
  const Pair sum = add_lesser(Pair(twos), Pair(entry.minus_log));
  return add_lesser(sum, log_series(r));
}

/// log(1 + x) for x > 2^-100, or x in (-1, -2^-100) without a second part, with
/// an error below 2^-83 of it: the sum is off by 2^-102, and its log is at
/// least 2^-8.1.
template <Product P>
DoubleDouble<P> logarithm_of_one_and(DoubleDouble<P> x) {
  if (std::abs(x.hi) < kLogSeries) return log_series(x);
  return logarithm(x + 1.0);
}

/// log(x) for any positive finite x, off by less than 2^-82 of it.
template <Product P>
DoubleDouble<P> logarithm_of_any(double x) {
  if (x >= std::numeric_limits<double>::min()) {
    return logarithm(DoubleDouble<P>(x));
  }
  const HiLo ln2 = log_table().ln2;
  const DoubleDouble<P> twos(fast_two_sum(-54 * ln2.hi, -54 * ln2.lo));
  return twos + logarithm(DoubleDouble<P>(x * 0x1p54));
}

template <Product P>
Approximation approximate_log(double x) {
  constexpr double kMax = std::numeric_limits<double>::max();
  if (!(x > 0 && x <= kMax)) return undecided();
  return within(logarithm_of_any<P>(x), 0x1p-82);
}

template <Product P>
Approximation approximate_log2(double x) {
  constexpr double kMax = std::numeric_limits<double>::max();
  if (!(x > 0 && x <= kMax)) return undecided();
  const DoubleDouble<P> scale(log_table().log2_of_e);
  return within(logarithm_of_any<P>(x) * scale, 0x1p-81);
}

template <Product P>
Approximation approximate_log10(double x) {
  constexpr double kMax = std::numeric_limits<double>::max();
  if (!(x > 0 && x <= kMax)) return undecided();
  const DoubleDouble<P> scale(log_table().log10_of_e);
  return within(logarithm_of_any<P>(x) * scale, 0x1p-81);
}

template <Product P>
Approximation approximate_log_plus_one(double x) {
  constexpr double kMax = std::numeric_limits<double>::max();
  if (!(x > -1 && x <= kMax)) return undecided();
  return within(logarithm_of_one_and(DoubleDouble<P>(x)), 0x1p-82);
}

}  // namespace hlo::numeric
