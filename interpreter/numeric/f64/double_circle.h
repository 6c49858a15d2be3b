#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/f64/double_approximation.h"
#include "interpreter/numeric/f64/double_reduction.h"
#include "interpreter/numeric/f64/double_tables.h"

// sin, cos and tan in pairs of doubles.
namespace hlo::numeric {

/// x reduced, for any finite x; the rest is off by less than 2^-88 of it.
///
/// Below 2^15 k has 20 bits, so that its products with the first three parts of
/// pi/64 are exact, and so is the first difference: both terms are multiples of
/// 2^-58 and it is below 2^-5. The fourth product and what is left of pi/64 are
/// below 2^-84 and off by 2^-136, as are the sums of the smallest terms. Where
/// so little is left that this counts, integers decide.
template <Product P>
ReducedAngle reduce_angle(double x) {
  constexpr double kRound = 0x1.8p52;  // its last bit is worth 1
  if (std::abs(x) >= 0x1p15) return reduce_exactly(x);
  const CircleTable& table = circle_table();
  const double shifted = x * table.steps_per_radian + kRound;
  const double k = shifted - kRound;
  const HiLo first = two_sum(x - k * table.step[0], -(k * table.step[1]));
  const HiLo second = two_sum(first.lo, -(k * table.step[2]));
  const HiLo high = two_sum(first.hi, second.hi);
  const double low = high.lo + (second.lo - k * table.step[3]);
  const HiLo rest = fast_two_sum(high.hi, low);
  if (std::abs(rest.hi) < 0x1p-48 && k != 0) return reduce_exactly(x);
  const auto step = static_cast<uint64_t>(std::bit_cast<int64_t>(shifted) -
                                          std::bit_cast<int64_t>(kRound));
  return {static_cast<size_t>(step % CircleTable::kSteps), rest};
}

/// sin r, and cos r - 1.
template <Product P>
struct SmallAngle {
  DoubleDouble<P> sine;
  DoubleDouble<P> cosine_minus_1;
};

/// For 2^-100 < |r| < 2^-5.34: sin r is off by less than 2^-78.5 |r|, the
/// cosine by less than 2^-76.3. (For smaller |r| too, but not relative to r.)
///
/// Taylor's series, of which r^13 / 13! < 2^-96 |r| and r^14 / 14! are left
/// out. s is below 2^-17.5 and off by less than 5u of that (z, the first
/// constant and three operations), which weighs z |r| < 2^-10.6 |r|; c is below
/// 2^-15.2, off by less than 5u of that, which weighs z.
template <Product P>
SmallAngle<P> small_angle(DoubleDouble<P> r) {
  using Pair = DoubleDouble<P>;
  constexpr HiLo kMinusSixth = {-0x1.5555555555555p-3, -0x1.5555555555555p-57};
  const Pair square = r * r;
  const double z = square.hi;
  const double s =
      z * (1.0 / 120 -
           z * (1.0 / 5040 - z * (1.0 / 362880 - z * (1.0 / 39916800))));
  const double c =
      z * (1.0 / 24 -
           z * (1.0 / 720 - z * (1.0 / 40320 -
                                 z * (1.0 / 3628800 - z * (1.0 / 479001600)))));
  const Pair sine = add_lesser(Pair(kMinusSixth), Pair(s));
  const Pair cosine(fast_two_sum(-0.5, c));
  return {add_lesser(r, r * square * sine), square * cosine};
}

/// sin(a + r) for sin a and cos a.
///
/// Where sin a = 0 this is +-sin r. Else |sin a| > 0.049 and |sin r| < 0.0246:
/// the sum is at least half of sin a, so that the error of the cosine counts at
/// most twice, that of the sine once.
template <Product P>
DoubleDouble<P> turn_sine(HiLo sine, HiLo cosine, const SmallAngle<P>& r) {
  using Pair = DoubleDouble<P>;
  const Pair change =
      add_roughly(Pair(cosine) * r.sine, Pair(sine) * r.cosine_minus_1);
  return add_lesser(Pair(sine), change);
}

/// sin(x), or cos(x) as the sine a quarter of a turn ahead, for finite x, off
/// by less than 2^-75 of it.
template <Product P>
DoubleDouble<P> sine_ahead(const ReducedAngle& x, const SmallAngle<P>& rest,
                           size_t ahead) {
  const auto& row = circle_table().rows[(x.step + ahead) % CircleTable::kSteps];
  return turn_sine(row.sine, row.cosine, rest);
}

inline constexpr size_t kQuarterTurn = CircleTable::kSteps / 4;

template <Product P>
Approximation approximate_sine(double x) {
  if (!(std::abs(x) <= std::numeric_limits<double>::max())) return undecided();
  const ReducedAngle angle = reduce_angle<P>(x);
  const auto rest = small_angle(DoubleDouble<P>(angle.rest));
  return within(sine_ahead(angle, rest, 0), 0x1p-75);
}

template <Product P>
Approximation approximate_cosine(double x) {
  if (!(std::abs(x) <= std::numeric_limits<double>::max())) return undecided();
  const ReducedAngle angle = reduce_angle<P>(x);
  const auto rest = small_angle(DoubleDouble<P>(angle.rest));
  return within(sine_ahead(angle, rest, kQuarterTurn), 0x1p-75);
}

template <Product P>
Approximation approximate_tan(double x) {
  if (!(std::abs(x) <= std::numeric_limits<double>::max())) return undecided();
  const ReducedAngle angle = reduce_angle<P>(x);
  const auto rest = small_angle(DoubleDouble<P>(angle.rest));
  return within(
      sine_ahead(angle, rest, 0) / sine_ahead(angle, rest, kQuarterTurn),
      0x1p-74);
}

}  // namespace hlo::numeric
