#include "conformance/sets/sum_range.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>

namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;

const FloatFormat& f32() { return numeric::format(ElementType::kF32); }

ExactSum sum_of(std::initializer_list<double> terms) {
  ExactSum sum;
  for (const double term : terms) sum.add(term);
  return sum;
}

const FloatFormat& unsigned_format() {
  return numeric::format(ElementType::kF8E8M0FNU);
}

TEST(SumRange, IsOneValueForOneTerm) {
  const ComponentRange range = sum_range(sum_of({0.0, 3.0}), f32(), {});
  EXPECT_EQ(range.low, 0x40400000U);
  EXPECT_EQ(range.high, 0x40400000U);
}

TEST(SumRange, HoldsEveryOrderOfThreeTerms) {
  // 2^24 + 1 + 1 is 2^24 or 2^24 + 2, by the order.
  const ComponentRange range =
      sum_range(sum_of({16777216.0, 1.0, 1.0}), f32(), {});
  EXPECT_EQ(range.value, 0x4b800001U);
  EXPECT_LE(range.low, 0x4b800000U);
  EXPECT_GE(range.high, 0x4b800001U);
  EXPECT_LE(range.high, 0x4b800004U);
}

TEST(SumRange, AdmitsInfinityWhereAPartialSumMayOverflow) {
  const double big = 3e38;
  const ComponentRange up = sum_range(sum_of({big, big, -big}), f32(), {});
  EXPECT_EQ(up.high, 0x7f800000U);
  EXPECT_FALSE(up.nan);
  const ComponentRange both =
      sum_range(sum_of({big, big, -big, -big}), f32(), {});
  EXPECT_TRUE(both.nan);
  EXPECT_EQ(both.low, 0xff800000U);
}

TEST(SumRange, IsTheInfinityOrNanThatATermIs) {
  const double infinity = std::numeric_limits<double>::infinity();
  const ComponentRange one = sum_range(sum_of({infinity, 1.0}), f32(), {});
  EXPECT_EQ(one.low, 0x7f800000U);
  EXPECT_EQ(one.high, 0x7f800000U);
  EXPECT_FALSE(one.nan);
  const ComponentRange nan =
      sum_range(sum_of({infinity, -infinity}), f32(), {});
  EXPECT_TRUE(numeric::is_nan(nan.value, f32()));
  EXPECT_TRUE(numeric::is_nan(nan.low, f32()));
}

TEST(SumRange, FreesTheSignOfZeroOfProducts) {
  const ComponentRange elements =
      sum_range(sum_of({1.0, -1.0}), f32(), {.exact = true});
  EXPECT_EQ(elements.low, 0U);
  const ComponentRange products =
      sum_range(sum_of({1.0, -1.0}), f32(), {.exact = true, .products = true});
  EXPECT_EQ(products.low, 0x80000000U);
  EXPECT_EQ(products.high, 0U);
}

TEST(LowestBit, IsTheQuantumOfANumber) {
  EXPECT_EQ(lowest_bit(12.0), 2);
  EXPECT_EQ(lowest_bit(-0.375), -3);
  EXPECT_EQ(lowest_bit(0x1p-1074), -1074);
  EXPECT_EQ(lowest_bit(0.0), std::numeric_limits<int>::max());
}

// The error of 200 ones in a format of one bit is as large as the sum, so that
// every number and NaN, which stands for what is not positive, may come out.
TEST(SumRange, OfTypesWithoutSignBeginsAtTheLeastNumber) {
  ExactSum sum;
  for (int i = 0; i < 200; ++i) sum.add(1);
  const FloatFormat& format = unsigned_format();
  const ComponentRange range = sum_range(sum, format, {});
  EXPECT_EQ(range.low, 0);
  EXPECT_TRUE(range.nan);
  const ComponentRange terms = sum_range(sum, sum, sum, format, {});
  EXPECT_EQ(terms.low, 0);
  EXPECT_TRUE(terms.nan);
}

// 3 * 2^100 +- 2^90 lies between 2^101 (code 228) and 2^102.
TEST(SumRange, OfTypesWithoutSignIsNarrowWhereTheErrorIs) {
  ExactSum sum;
  sum.add(0x3p100);
  const ComponentRange range = range_around(sum, 0x1p90, unsigned_format());
  EXPECT_GE(range.low, 228);
  EXPECT_LE(range.high, 229);
}

TEST(SumRange, WithoutBoundHoldsEveryCode) {
  const ComponentRange range = whole_range(127, unsigned_format());
  EXPECT_EQ(range.low, 0);
  EXPECT_TRUE(range.nan);
}

}  // namespace
}  // namespace hlo::conformance
