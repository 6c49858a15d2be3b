#include "backends/cpu/functions/special/special_numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace hlo::cpu {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kLeast = std::numeric_limits<double>::denorm_min();
constexpr double kPi = std::numbers::pi;
constexpr double kZetaOfThree = 1.2020569031595942854;

// spec/numerics.md, Special functions: the sum over (q + n)^-s, and its poles.
TEST(CpuZeta, KnowsItsPoles) {
  EXPECT_EQ(hurwitz_zeta(1, 0.0), kInf);
  EXPECT_TRUE(std::isnan(hurwitz_zeta(1, -0.0)));
  EXPECT_TRUE(std::isnan(hurwitz_zeta(1, -1)));
  EXPECT_EQ(hurwitz_zeta(1, -0.5), kInf);
  EXPECT_EQ(hurwitz_zeta(2, -1), kInf);
  EXPECT_TRUE(std::isnan(hurwitz_zeta(3, -1)));
}

TEST(CpuZeta, IsTheSumForOrdersOfAnySize) {
  EXPECT_DOUBLE_EQ(hurwitz_zeta(2, 1), kPi * kPi / 6);
  EXPECT_DOUBLE_EQ(hurwitz_zeta(3, 1), kZetaOfThree);
  EXPECT_DOUBLE_EQ(hurwitz_zeta(200, 0.5), 0x1p200);
  EXPECT_DOUBLE_EQ(hurwitz_zeta(0x1p40, 1), 1);
  EXPECT_EQ(hurwitz_zeta(0x1p65, 2), kLeast);
  // q^-s / (1 - e^(-s / q)) next to 1: s log q is too large for any format.
  EXPECT_EQ(hurwitz_zeta(1e154, 1e153), kLeast);
}

TEST(CpuPolygamma, IsTheDerivativeForOrdersOfAnySize) {
  EXPECT_DOUBLE_EQ(polygamma(1, 0.5), kPi * kPi / 2);
  // -2 zeta(3, 3/2): the terms of -1/2 and of 1/2 cancel.
  EXPECT_DOUBLE_EQ(polygamma(2, -0.5), -2 * (7 * kZetaOfThree - 8));
  EXPECT_DOUBLE_EQ(polygamma(1, -0x1p-500), 0x1p1000);
  EXPECT_EQ(polygamma(0x1p33, 2), -kInf);
  EXPECT_EQ(polygamma(1e154, -1e-48), kInf);  // of an even order
  EXPECT_DOUBLE_EQ(polygamma(1, 1e154), 1e-154);
}

}  // namespace
}  // namespace hlo::cpu
