#pragma once

#include <cmath>
#include <cstdint>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/f64/double_approximation.h"
#include "interpreter/numeric/f64/double_exponential.h"
#include "interpreter/numeric/f64/double_logarithm.h"
#include "interpreter/numeric/f64/double_tables.h"

// Hurwitz' zeta and the derivatives of digamma in pairs of doubles.
//
// zeta(s, q) is the sum of the terms (q + n)^-s; from a = q + N on, Euler's and
// Maclaurin's sum, a^-s (a / (s - 1) + 1/2 + T_1 - T_2 + ...), of which what is
// left out is below the first term that is (special/hurwitz.cc). All errors are
// sums and products of numbers that are not negative; the factor at the end
// makes up for their roundings.
namespace hlo::numeric {

/// A number off by at most `error`; where that is NaN nothing is known.
template <Product P>
struct BoundedPair {
  DoubleDouble<P> value;
  double error = 0;

  /// Sums of pairs add 2^-102 of themselves.
  void add(const BoundedPair& other) {
    value = value + other.value;
    error += other.error + std::abs(value.hi) * 0x1p-102;
  }
};

/// a^-s for a > 0 and s > 0, where it is below e^300.
///
/// Within 2^-99 of 1 it is 1, off by s 2^-98. Else z = -s log a is off by less
/// than 2^-82.9 |z|, which is the relative error of its exponential beside
/// 2^-88. e^-700 is below 2^-1000.
template <Product P>
BoundedPair<P> inverse_power(DoubleDouble<P> a, double s) {
  using Pair = DoubleDouble<P>;
  const double beyond = (a.hi - 1) + a.lo;
  if (std::abs(beyond) < 0x1p-99) {
    return {Pair(1), beyond == 0 ? 0 : s * 0x1p-98};
  }
  const Pair z = logarithm(a) * -s;
  if (z.hi < -700) return {Pair(0), 0x1p-1000};
  if (!(z.hi < 300)) return {Pair(0), std::nan("")};
  const auto parts = exponential_parts(z);
  const Pair value =
      scale(exponential_significand(parts), power_of_two(parts.exponent));
  return {value, value.hi * (std::abs(z.hi) * 0x1.2p-82 + 0x1p-87)};
}

/// a / (s - 1) + 1/2 + T_1 - T_2 + ... for a >= 14 + s below 2^400 and an
/// exact s - 1: T_k is the table's coefficient times s (s + 1) ... (s + 2k - 2)
/// a^(1 - 2k), and T_1 below 1/12.
///
/// Each T_k takes fewer than 5 k operations, so that they and the sums, none of
/// which is below 1/3 of what came before, are off by less than 2^-92.
template <Product P>
BoundedPair<P> tail_over_power(DoubleDouble<P> a, double s) {
  using Pair = DoubleDouble<P>;
  const ZetaTable& table = zeta_table();
  Pair sum = a / Pair(s - 1) + 0.5;
  Pair rising = Pair(s) / a;
  const Pair inverse = Pair(1) / a;
  for (size_t k = 1;; ++k) {
    const Pair term = rising * Pair(table.coefficients[k - 1]);
    if (term.hi < sum.hi * 0x1p-92 || k == ZetaTable::kTerms) {
      return {sum, sum.hi * 0x1p-92 + term.hi};
    }
    sum = sum + (k % 2 != 0 ? term : -term);
    const auto next = static_cast<double>(2 * k - 1);
    rising = rising * (Pair(two_sum(s, next)) * inverse);
    rising = rising * (Pair(two_sum(s, next + 1)) * inverse);
  }
}

/// What the terms from a^-s on, a > 0, add up to at most: a^-s (1 + a / (s -
/// 1)).
template <Product P>
double most_of_rest(const BoundedPair<P>& power, double a, double s) {
  return (power.value.hi + power.error) * (1 + a / (s - 1));
}

/// zeta(s, q) for 1 < s < 2^52 and q > 0 below 2^400, or for an integer s and q
/// < 0, no integer, where the terms below 0 are (-1)^s |q + n|^-s.
template <Product P>
BoundedPair<P> hurwitz_sum(double s, double q, bool odd) {
  using Pair = DoubleDouble<P>;
  constexpr int kMostTerms = 200;
  const double enough = 14 + s;
  BoundedPair<P> sum;
  for (int n = 0; n < kMostTerms; ++n) {
    const Pair a(two_sum(q, n));
    const bool below = a.hi < 0;
    BoundedPair<P> power = inverse_power(below ? -a : a, s);
    if (a.hi >= enough) {
      const BoundedPair<P> tail = tail_over_power(a, s);
      power.error = tail.value.hi * power.error +
                    (power.value.hi + power.error) * tail.error;
      power.value = power.value * tail.value;
      power.error += power.value.hi * 0x1p-101;
      sum.add(power);
      return sum;
    }
    const double rest = most_of_rest(power, a.hi, s);
    if (!below && rest < std::abs(sum.value.hi) * 0x1p-92) {
      sum.error += rest;
      return sum;
    }
    if (below && odd) power.value = -power.value;
    sum.add(power);
  }
  return {Pair(0), std::nan("")};
}

/// sign * sum * factorial(n), a number far from the ends of double.
template <Product P>
Approximation times_factorial(const BoundedPair<P>& sum, int n, int sign) {
  using Pair = DoubleDouble<P>;
  if (!(std::abs(sum.value.hi) > 0x1p-440 && sum.error >= 0)) {
    return undecided();
  }
  Pair factor(sign);
  for (int i = 2; i <= n; ++i) factor = factor * static_cast<double>(i);
  const Pair value = sum.value * factor;
  const double error = (sum.error + 0x1p-1000) * std::abs(factor.hi) +
                       std::abs(value.hi) * 0x1p-94;
  return {value.hi, value.lo, error * (1 + 0x1p-20)};
}

/// Whether the sums are for q, where s is an integer or not.
inline bool sums_from(double q, bool integer) {
  if (q > 0) return q > 0x1p-400 && q < 0x1p400;
  return integer && q > -64 && q != std::trunc(q);
}

template <Product P>
Approximation approximate_zeta(double s, double q) {
  if (!(s > 1 && s < 0x1p52 && sums_from(q, s == std::trunc(s)))) {
    return undecided();
  }
  return times_factorial(hurwitz_sum<P>(s, q, std::fmod(s, 2) != 0), 0, 1);
}

/// (-1)^(n + 1) n! zeta(n + 1, x).
template <Product P>
Approximation approximate_polygamma(double n, double x) {
  constexpr double kMostOrder = 100;
  if (!(n >= 1 && n <= kMostOrder && n == std::trunc(n) &&
        sums_from(x, true))) {
    return undecided();
  }
  const auto order = static_cast<int>(n);
  const bool odd = order % 2 == 0;  // n + 1
  return times_factorial(hurwitz_sum<P>(n + 1, x, odd), order, odd ? -1 : 1);
}

}  // namespace hlo::numeric
