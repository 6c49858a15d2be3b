#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/f64/double_approximation.h"
#include "interpreter/numeric/f64/double_tables.h"

// erf in pairs of doubles.
namespace hlo::numeric {

/// c[0] + c[1] x + c[2] x^2 + ...
template <size_t kCount>
double polynomial(const std::array<double, kCount>& c, double x) {
  double sum = c[kCount - 1];
  for (size_t i = kCount - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

/// erf(x) / x for 2^-900 < |x| < 1/16, off by less than 2^-79 of it.
///
/// z = x^2 < 2^-8. The series is cut at z^9 / (9! 19) < 2^-94. z q is below
/// 2^-13.2 and off by less than 5u of that (z, the first constant and three
/// operations), which weighs z^2; the sum is above 1.12.
template <Product P>
DoubleDouble<P> error_series(double x) {
  using Pair = DoubleDouble<P>;
  const ErrorTable& table = error_table();
  const Pair z(two_product<P>(x, x));
  const double q = z.hi * polynomial(table.series_singles, z.hi);
  const Pair second = add_lesser(Pair(table.series[2]), Pair(q));
  const Pair first = add_lesser(Pair(table.series[1]), z * second);
  return add_lesser(Pair(table.series[0]), z * first);
}

/// erf(x) for 1/32 <= x < 6.03, off by less than 2^-78.
///
/// Taylor's series at c = i/16, |h| <= 1/32. By Cramer's |H_n(x)| exp(-x^2 / 2)
/// < 1.09 2^(n/2) sqrt(n!), the term of h^n is below 1.23 2^((n-1)/2)
/// sqrt((n-1)!) / n! |h|^n at any c: what is left out, from h^15 on as a
/// remainder, is below 2^-89. The coefficient of h^5 is below 0.21, q is off by
/// less than 3.2u of that and h q by 4.3u of 2^-7.2, which weighs h^4: 2^-78.2
/// at most. The sums of pairs, all of terms below 1.3, add less than 2^-100.
template <Product P>
DoubleDouble<P> error_by_table(double x) {
  using Pair = DoubleDouble<P>;
  constexpr double kSteps = ErrorTable::kStepsPerUnit;
  constexpr double kHalf = 0.5;
  const auto i = static_cast<size_t>(x * kSteps + kHalf);
  const double h = x - static_cast<double>(i) / kSteps;  // exact
  const ErrorTable::Row& row = error_table().rows[i];
  const double q = h * polynomial(row.singles, h);
  Pair sum = add_roughly(Pair(row.pairs[4]), Pair(q));
  for (size_t n = 4; n-- > 0;) sum = add_roughly(Pair(row.pairs[n]), sum * h);
  return sum;
}

/// 1 - erf(6) is below 2^-55.
template <Product P>
Approximation approximate_erf(double x) {
  const double magnitude = std::abs(x);
  const double sign = std::copysign(1.0, x);
  if (!(magnitude > 0x1p-900)) return undecided();
  if (magnitude < 1.0 / 16) return within(error_series<P>(x) * x, 0x1p-78);
  if (std::isinf(x)) return exactly(sign);
  if (magnitude >= 6) return {sign, -sign * 0x1p-56, 0x1p-56};
  const DoubleDouble<P> value = error_by_table<P>(magnitude);
  return {sign * value.hi, sign * value.lo, 0x1p-77};
}

}  // namespace hlo::numeric
