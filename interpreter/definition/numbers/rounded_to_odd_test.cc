#include "interpreter/definition/numbers/rounded_to_odd.h"

#include <gtest/gtest.h>

#include "interpreter/definition/numbers/exact_numbers.h"

namespace hlo::definition {
namespace {

Real power(int exponent) { return Real(power_of_two(exponent)); }

TEST(RoundedToOdd, TruncatedNumbersHoldAllBits) {
  for (const int bits : {80, 81, 82, 200}) {
    const Real x = power(bits - 1) + 1;
    Truncated truncated(x);
    EXPECT_TRUE(rounded_to_odd(truncated.get(), 0) == x) << bits;
    Truncated negative(-x);
    EXPECT_TRUE(rounded_to_odd(negative.get(), 0) == -x) << bits;
  }
}

TEST(RoundedToOdd, KeepsTheSign) {
  for (const bool negative : {false, true}) {
    const Real one = negative ? Real(-1) : Real(1);
    Truncated truncated(one);
    EXPECT_TRUE(rounded_to_odd(truncated.get(), 0) == one);
    const Real zero = Real::zero(negative);
    Truncated vanished(zero);
    EXPECT_EQ(signbit(rounded_to_odd(vanished.get(), 0)), negative);
    EXPECT_TRUE(rounded_to_odd(vanished.get(), 1) == one * power(-kFar));
    Truncated infinite(Real::infinity(negative));
    const Real back = rounded_to_odd(infinite.get(), 0);
    EXPECT_TRUE(isinf(back) && signbit(back) == negative);
  }
}

}  // namespace
}  // namespace hlo::definition
