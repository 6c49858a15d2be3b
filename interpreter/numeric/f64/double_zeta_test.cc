#include "interpreter/numeric/f64/double_zeta.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "interpreter/numeric/f64/double_binary_functions.h"
#include "interpreter/numeric/real/testing/oracle.h"
#include "interpreter/numeric/special/special_zeta.h"

// Beside the sums of special_zeta.h, which are in MPFR.

namespace hlo::numeric {
namespace {

constexpr mpfr_prec_t kPrecision = 200;

using Points = std::vector<std::pair<double, double>>;
using Evaluate = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

struct Row {
  Function2 function;
  Evaluate evaluate;
};

constexpr Row kZeta = {Function2::kZeta, special::zeta};
constexpr Row kPolygamma = {Function2::kPolygamma, special::polygamma};

/// Orders next to the pole, moderate and large.
double draw_order(oracle::Random& random, bool integer) {
  const auto kind = random.below(8);
  double order = 1 + std::abs(random.real(-2, 5));
  if (kind == 0) order = 1 + std::abs(random.real(-50, -1));
  if (kind == 1) order = std::abs(random.real(1, 9));
  return integer ? 1 + std::floor(order) : order;
}

/// Arguments of all sizes, on both sides of 0 and next to integers.
double draw_argument(oracle::Random& random, bool negative) {
  const auto kind = random.below(8);
  double x = std::abs(random.real(-4, 6));
  if (kind == 0) x = std::abs(random.real(-150, 200));
  if (kind == 1) x = 1 + random.real(-60, -40);
  if (kind == 2) x = std::round(x) + random.real(-30, -2);
  return negative ? -x : x;
}

/// Orders and arguments; below 0 the order is an integer.
Points points(bool integers, size_t n, uint64_t seed) {
  oracle::Random random(seed);
  Points found;
  while (found.size() < n) {
    const bool negative = random.below(4) == 0;
    const double order = draw_order(random, integers || negative);
    found.emplace_back(order, draw_argument(random, negative));
  }
  return found;
}

/// The function at one point, in many bits.
void compute(const Row& row, double x, double y, Real& value) {
  Real first(53);
  Real second(53);
  set(first, x);
  set(second, y);
  row.evaluate(value.get(), first.get(), second.get(), MPFR_RNDZ);
}

/// Returns how many of the points the bounds decide.
size_t expect_bounds(const Row& row, const Points& points) {
  const FloatFormat& f64 = format(ElementType::kF64);
  size_t decided = 0;
  for (const auto& [x, y] : points) {
    const Approximation about = approximate2(row.function, x, y);
    if (std::isnan(about.hi)) continue;
    Real value(kPrecision);
    compute(row, x, y, value);
    const double nearest = decide(about);
    if (!std::isnan(nearest)) {
      ++decided;
      EXPECT_EQ(std::bit_cast<uint64_t>(nearest),
                oracle::round_ieee(value.get(), f64))
          << x << " " << y;
    }
    mpfr_sub_d(value.get(), value.get(), about.hi, MPFR_RNDN);
    mpfr_sub_d(value.get(), value.get(), about.lo, MPFR_RNDN);
    mpfr_abs(value.get(), value.get(), MPFR_RNDN);
    EXPECT_LE(mpfr_cmp_d(value.get(), about.error), 0) << x << " " << y;
  }
  return decided;
}

TEST(DoubleZeta, ZetaKeepsItsBoundsAndRoundsRightly) {
  const Points all = points(false, 300, 70);
  EXPECT_GE(expect_bounds(kZeta, all), all.size() * 3 / 4);
}

TEST(DoubleZeta, PolygammaKeepsItsBoundsAndRoundsRightly) {
  const Points all = points(true, 300, 71);
  EXPECT_GE(expect_bounds(kPolygamma, all), all.size() * 3 / 4);
}

TEST(DoubleZeta, UsefulArgumentsAreDecided) {
  oracle::Random random(72);
  for (int i = 0; i < 20'000; ++i) {
    const double q = std::abs(random.real(-3, 6));
    const double s = 1 + std::abs(random.real(-3, 4));
    EXPECT_FALSE(std::isnan(decide(approximate2(Function2::kZeta, s, q))))
        << s << " " << q;
    const double n = 1 + std::floor(std::abs(random.real(-1, 4)));
    EXPECT_FALSE(std::isnan(decide(approximate2(Function2::kPolygamma, n, q))))
        << n << " " << q;
  }
}

TEST(DoubleZeta, LeavesOthersOpen) {
  for (const auto& [s, q] : Points{{1, 2},
                                   {0.5, 2},
                                   {2.5, -0.5},
                                   {3, -2},
                                   {3, 0},
                                   {3, HUGE_VAL},
                                   {HUGE_VAL, 3},
                                   {3, std::nan("")},
                                   {std::nan(""), 3},
                                   {3, -70.5},
                                   {500, 3}}) {
    EXPECT_TRUE(std::isnan(approximate2(Function2::kZeta, s, q).hi))
        << s << " " << q;
  }
}

}  // namespace
}  // namespace hlo::numeric
