#include "conformance/fingerprint/unit_arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "conformance/fingerprint/testing/simulated_unit.h"

namespace hlo::conformance {
namespace {

constexpr std::pair<UnitRounding, Nearest> kRoundings[] = {
    {UnitRounding::kEven, Nearest::kEven},
    {UnitRounding::kAway, Nearest::kAway},
    {UnitRounding::kZero, Nearest::kZero},
    {UnitRounding::kUp, Nearest::kUp},
    {UnitRounding::kDown, Nearest::kDown}};

/// A number with few or many ones, and an exponent in -140 ... -100 or about 0.
double drawn(std::mt19937_64& random, int bits) {
  const auto mask = random() % 2 == 0 ? ~uint64_t{0} : random() & random();
  const auto significand = static_cast<double>(
      (random() & mask) >> static_cast<unsigned>(64 - bits));
  const int exponent = random() % 2 == 0 ? -120 : 0;
  const double value =
      std::ldexp(significand + 1, exponent - static_cast<int>(random() % 40));
  return random() % 2 == 0 ? value : -value;
}

TEST(UnitArithmetic, RoundsSumsAndProductsAsMpfrDoes) {
  std::mt19937_64 random(1);
  for (const int precision : {4, 8, 11, 14, 24, 48, 53}) {
    for (const auto& [rounding, nearest] : kRoundings) {
      // The test's away from zero needs a middle that is a double.
      if (precision == 53 && rounding == UnitRounding::kAway) continue;
      const UnitFormat unit{precision, -126, rounding};
      const SimulatedFormat same{precision, -126, nearest};
      for (int i = 0; i < 2000; ++i) {
        const double x = drawn(random, 24);
        const double y = drawn(random, 24);
        ASSERT_EQ(add_unit(x, y, unit), simulated_add(x, y, same))
            << precision << ' ' << name(rounding) << ' ' << x << ' ' << y;
        ASSERT_EQ(multiply_unit(x, y, unit), simulated_multiply(x, y, same))
            << precision << ' ' << name(rounding) << ' ' << x << ' ' << y;
      }
    }
  }
}

// IEEE 754-2019, 7.5: tininess after rounding. 1 - 2^-24 times the least normal
// number has 24 bits; half an ulp more rounds to that number.
TEST(UnitArithmetic, FlushesWhatIsTinyAfterRounding) {
  const UnitFormat flushing{24, -126, UnitRounding::kEven, true};
  const double least = 0x1p-126;
  EXPECT_EQ(add_unit(least, -0x1p-150, flushing), 0);
  EXPECT_EQ(add_unit(least, -0x1p-152, flushing), least);
  EXPECT_TRUE(std::signbit(add_unit(-0x1.8p-127, 0, flushing)));
  EXPECT_EQ(add_unit(0x1.8p-126, -0x1p-126, flushing), 0);
}

// (1 - 2^-9) 2^-126 is 2^-126 in 8 bits, and tiny in 24.
TEST(UnitArithmetic, FlushesWhatIsTinyInAWiderFormat) {
  UnitFormat narrow{8, -126, UnitRounding::kEven, true};
  EXPECT_EQ(add_unit(0x1p-126, -0x1p-135, narrow), 0x1p-126);
  narrow.flushed_precision = 24;
  EXPECT_EQ(add_unit(0x1p-126, -0x1p-135, narrow), 0);
  EXPECT_EQ(add_unit(0x1p-126, 0x1p-135, narrow), 0x1p-126);
}

TEST(UnitArithmetic, KeepsSignsOfZeros) {
  const UnitFormat even;
  UnitFormat down;
  down.rounding = UnitRounding::kDown;
  EXPECT_TRUE(std::signbit(add_unit(-0.0, -0.0, even)));
  EXPECT_FALSE(std::signbit(add_unit(1, -1, even)));
  EXPECT_TRUE(std::signbit(add_unit(1, -1, down)));
  EXPECT_TRUE(std::isnan(add_unit(INFINITY, -INFINITY, even)));
}

}  // namespace
}  // namespace hlo::conformance
