#include "interpreter/definition/numbers/exact_numbers.h"

#include <gtest/gtest.h>

namespace hlo::definition {
namespace {

TEST(ExactNumbers, FindsExponents) {
  for (int e = -200; e < 200; ++e) {
    const Rational power = power_of_two(e);
    EXPECT_EQ(binary_exponent(power), e);
    EXPECT_EQ(binary_exponent(Rational(power * 3) / 2), e);
    EXPECT_EQ(binary_exponent(Rational(-power * 2) / 3), e - 1);
  }
}

TEST(ExactNumbers, NearestEven) {
  EXPECT_EQ(nearest_even(Rational(5, 2)), 2);
  EXPECT_EQ(nearest_even(Rational(7, 2)), 4);
  EXPECT_EQ(nearest_even(Rational(-5, 2)), -2);
  EXPECT_EQ(nearest_even(Rational(-8, 3)), -3);
}

}  // namespace
}  // namespace hlo::definition
