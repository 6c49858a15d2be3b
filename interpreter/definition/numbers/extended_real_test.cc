#include "interpreter/definition/numbers/extended_real.h"

#include <gtest/gtest.h>

#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "interpreter/definition/numbers/exact_numbers.h"

namespace hlo::definition {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Numbers of few bits, so that double computes with them exactly.
std::vector<double> small_numbers() {
  return {0.0,       0.25, 0.5,   0.75,  1.0,        1.25, 1.5,  2.0,
          2.5,       3.0,  3.5,   4.0,   6.5,        7.0,  12.0, 48.5,
          kInfinity, -0.0, -0.25, -0.5,  -0.75,      -1.0, -1.5, -2.0,
          -2.5,      -3.5, -6.5,  -12.0, -kInfinity, kNan};
}

void expect_same(const Real& x, double y) {
  ASSERT_EQ(isnan(x), std::isnan(y));
  ASSERT_EQ(signbit(x), !std::isnan(y) && std::signbit(y)) << y;
  if (std::isnan(y)) return;
  ASSERT_EQ(isinf(x), std::isinf(y));
  ASSERT_EQ(isfinite(x), std::isfinite(y));
  ASSERT_EQ(x, y);
}

// One rule for both types, as operations have them.
template <typename R>
R remainder_rule(R a, R b) {
  using std::fmod;
  return fmod(a, b);
}

TEST(ExtendedReal, RoundsToIntegersAsDouble) {
  for (const double x : small_numbers()) {
    const Real r(x);
    expect_same(floor(r), std::floor(x));
    expect_same(ceil(r), std::ceil(x));
    expect_same(trunc(r), std::trunc(x));
    expect_same(round(r), std::round(x));
    expect_same(rint(r), std::rint(x));
    expect_same(nearbyint(r), std::nearbyint(x));
    EXPECT_EQ(signbit(fabs(r)), false);
    EXPECT_EQ(signbit(-r), !std::signbit(x));
  }
}

TEST(ExtendedReal, ComputesAsDouble) {
  for (const double x : small_numbers()) {
    for (const double y : small_numbers()) {
      expect_same(Real(x) + Real(y), x + y);
      expect_same(Real(x) - Real(y), x - y);
      expect_same(Real(x) * Real(y), x * y);
      if (std::fmod(x, 3) != 0 && std::fmod(y, 3.0) == 0) continue;
      expect_same(remainder_rule<Real>(x, y), remainder_rule(x, y));
      EXPECT_EQ(signbit(copysign(Real(x), y)), std::signbit(y));
    }
  }
}

TEST(ExtendedReal, ComparesAsDouble) {
  for (const double x : small_numbers()) {
    for (const double y : small_numbers()) {
      EXPECT_EQ(Real(x) == y, x == y);
      EXPECT_EQ(Real(x) != y, x != y);
      EXPECT_EQ(Real(x) < y, x < y);
      EXPECT_EQ(Real(x) >= y, x >= y);
    }
  }
}

TEST(ExtendedReal, DividesBySpecials) {
  for (const double x : small_numbers()) {
    for (const double y : {0.0, -0.0, 0.5, -4.0, kInfinity, -kInfinity, kNan}) {
      expect_same(Real(x) / Real(y), x / y);
    }
  }
}

cpp_rational rival(const Real& x) { return cpp_rational(rational(x).str()); }

cpp_rational rival_of(double x) {
  int exponent = 0;
  const auto significand =
      static_cast<int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  const int shift = exponent - 53;
  const cpp_int power = cpp_int(1) << std::abs(shift);
  return shift < 0 ? cpp_rational(significand, power)
                   : cpp_rational(significand * power);
}

cpp_rational rival_trunc(const cpp_rational& x) {
  return cpp_rational(numerator(x) / denominator(x));
}

// Arithmetic without GMP.
TEST(ExtendedReal, AgreesWithRival) {
  uint64_t state = 7;
  const auto next = [&] {
    state = state * 6364136223846793005 + 1442695040888963407;
    return std::bit_cast<double>((state >> 12 | uint64_t{1} << 62) -
                                 (uint64_t{40} << 52));
  };
  for (int i = 0; i < 2'000; ++i) {
    const double a = next() * (i % 3 == 0 ? -1 : 1);
    const double b = next() * (i % 5 == 0 ? -1 : 1);
    const Real x(a);
    const Real y(b);
    const cpp_rational p = rival_of(a);
    const cpp_rational q = rival_of(b);
    ASSERT_EQ(rival(x + y), p + q);
    ASSERT_EQ(rival(x - y), p - q);
    ASSERT_EQ(rival(x * y), p * q);
    ASSERT_EQ(rival(x / y), p / q);
    ASSERT_EQ(rival(fmod(x, y)), p - q * rival_trunc(p / q));
    ASSERT_EQ(rival(trunc(x)), rival_trunc(p));
    ASSERT_EQ(x < y, p < q);
  }
}

}  // namespace
}  // namespace hlo::definition
