#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/f64/double_approximation.h"
#include "interpreter/numeric/f64/double_tables.h"

// exp and its relatives in pairs of doubles.
namespace hlo::numeric {

/// exp(x) = 2^exponent * power * (1 + minus_one).
template <Product P>
struct ExponentialParts {
  int exponent;
  DoubleDouble<P> power;
  DoubleDouble<P> minus_one;
};

/// exp(r) - 1 for 2^-100 < |r| < 2^-8.5 with an error below 2^-81 |r|; for
/// smaller |r| below 2^-181.
///
/// Taylor's series; what is left out is below |r|^10 / 10! < 2^-97 |r|. q and
/// r q are off by less than 4u 2^-4.5 and 2^-64.5 (with r's second part, which
/// q does not see), which weighs r^3 < 2^-17 |r|; the other operations are
/// those of pairs.
template <Product P>
DoubleDouble<P> exponential_series(DoubleDouble<P> r) {
  using Pair = DoubleDouble<P>;
  constexpr HiLo kSixth = {0x1.5555555555555p-3, 0x1.5555555555555p-57};
  const double x = r.hi;
  const double q =
      1.0 / 24 +
      x * (1.0 / 120 +
           x * (1.0 / 720 +
                x * (1.0 / 5040 + x * (1.0 / 40320 + x * (1.0 / 362880)))));
  const Pair third = add_lesser(Pair(kSixth), Pair(x * q));
  const Pair second = add_lesser(Pair(0.5), third * r);
  return add_lesser(r, r * r * second);
}

/// For |x| < 1400: minus_one is off by less than 2^-89.5, and by less than
/// 2^-81 |x| where |x| < ln 2 / 256 and x has no second part.
///
/// k = x 128/ln 2 to within 0.51, below 2^18, so that k times the first two
/// parts of the step are exact, and so is the first difference: both terms are
/// multiples of 2^-61 and it is below 2^-8. The third product and the sum with
/// x.lo < 2^-43 are off by less than 2^-95.
template <Product P>
ExponentialParts<P> exponential_parts(DoubleDouble<P> x) {
  using Pair = DoubleDouble<P>;
  constexpr double kRound = 0x1.8p52;  // its last bit is worth 1
  constexpr int kStepBits = 7;
  const ExponentialTable& table = exponential_table();
  const double shifted = x.hi * table.steps_per_unit + kRound;
  const double k = shifted - kRound;
  const HiLo rest = two_sum(x.hi - k * table.step[0], -k * table.step[1]);
  const double low = rest.lo + (x.lo - k * table.step[2]);
  const Pair r(two_sum(rest.hi, low));
  const int64_t steps =
      std::bit_cast<int64_t>(shifted) - std::bit_cast<int64_t>(kRound);
  const size_t index = static_cast<uint64_t>(steps) % ExponentialTable::kSteps;
  return {static_cast<int>(steps >> kStepBits), Pair(table.power[index]),
          exponential_series(r)};
}

/// exp(x) / 2^exponent, off by less than 2^-88 of it: 2^-89.5 of the series and
/// three operations.
template <Product P>
DoubleDouble<P> exponential_significand(const ExponentialParts<P>& parts) {
  return add_lesser(parts.power, parts.power * parts.minus_one);
}

/// (exp(x) - 1) / 2^exponent for parts of x > -100, x < 710.
///
/// exp(x) - 1 is at least 2^-8.6 where the exponent or the index is not 0, so
/// that the error of the series is below 2^-80.9 of it; else it is the series.
template <Product P>
DoubleDouble<P> exponential_minus_one_significand(
    const ExponentialParts<P>& parts) {
  const double one = parts.exponent > 400 ? 0 : power_of_two(-parts.exponent);
  return (parts.power - one) + parts.power * parts.minus_one;
}

/// The parts of 2^x for |x| < 1100: x = k/128 + r, where r is exact, and r ln 2
/// is off by less than 2^-102 |r|.
template <Product P>
ExponentialParts<P> power_of_two_parts(double x) {
  using Pair = DoubleDouble<P>;
  constexpr double kRound = 0x1.8p45;  // its last bit is worth 1/128
  constexpr int kStepBits = 7;
  const ExponentialTable& table = exponential_table();
  const double shifted = x + kRound;
  const double r = x - (shifted - kRound);
  const int64_t steps =
      std::bit_cast<int64_t>(shifted) - std::bit_cast<int64_t>(kRound);
  const size_t index = static_cast<uint64_t>(steps) % ExponentialTable::kSteps;
  return {static_cast<int>(steps >> kStepBits), Pair(table.power[index]),
          exponential_series(Pair(table.ln2) * r)};
}

template <Product P>
Approximation approximate_exponential2(double x) {
  if (!(x >= -1022 && x < 1024)) return undecided();
  const auto parts = power_of_two_parts<P>(x);
  return within(exponential_significand(parts), 0x1p-87, parts.exponent);
}

template <Product P>
Approximation approximate_exponential(double x) {
  if (!(x >= -708 && x <= 709.78)) return undecided();
  const auto parts = exponential_parts(DoubleDouble<P>(x));
  return within(exponential_significand(parts), 0x1p-87, parts.exponent);
}

template <Product P>
Approximation approximate_exponential_minus_one(double x) {
  if (!(x <= 709.78)) return undecided();
  // exp(-75) < 2^-108
  if (x < -75) return std::isinf(x) ? exactly(-1) : just_above(-1);
  const auto parts = exponential_parts(DoubleDouble<P>(x));
  return within(exponential_minus_one_significand(parts), 0x1p-80,
                parts.exponent);
}

/// exp(|x|) is positive and at most 1, so that no error grows.
template <Product P>
Approximation approximate_logistic(double x) {
  using Pair = DoubleDouble<P>;
  if (!(x >= -708)) return undecided();
  if (x > 75) return std::isinf(x) ? exactly(1) : just_below(1);
  const auto parts = exponential_parts(Pair(-std::abs(x)));
  const Pair e = exponential_significand(parts);
  // 2^-120 of 1 may be left out.
  const double unit = parts.exponent < -120 ? 0 : power_of_two(parts.exponent);
  const Pair sum = scale(e, unit) + 1.0;
  if (x >= 0) return within(Pair(1) / sum, 0x1p-86);
  return within(e / sum, 0x1p-86, parts.exponent);
}

}  // namespace hlo::numeric
