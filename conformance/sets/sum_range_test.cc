#include "conformance/sets/sum_range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "conformance/sets/sum_class.h"

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

TEST(SumRange, IsWiderByAUnitForEachProductThatWasChosenByItsRoundedValue) {
  const FloatFormat& f64 = numeric::format(ElementType::kF64);
  const ExactSum sum = sum_of({0x1p-1074, 0x1p-1073, 0x1p-1074});
  const SumErrors errors{.products = true};
  const ComponentRange known = sum_range(sum, f64, errors);
  const ComponentRange chosen = sum_range(sum, sum, sum, f64, errors);
  EXPECT_GE(chosen.high, known.high + 3);  // subnormal numbers are their codes
}

ValueSet set_of_sum(std::initializer_list<double> terms, ElementType type) {
  return set_of(sum_range(sum_of(terms), numeric::format(type), {}), type);
}

bool admits(const ValueSet& set, double value, ElementType type) {
  return set.contains(numeric::encode(value, numeric::format(type)), type);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(SumRange, IsInfiniteAloneWhereEveryOrderOverflows) {
  const ValueSet up = set_of_sum({3e38, 3e38}, ElementType::kF32);
  EXPECT_TRUE(up.is_single());
  EXPECT_TRUE(admits(up, kInfinity, ElementType::kF32));
  const ValueSet down = set_of_sum({-400, -400}, ElementType::kF8E4M3FN);
  EXPECT_FALSE(down.has_numbers());
  EXPECT_TRUE(down.has_nan());
  const ValueSet last = set_of_sum({7, 7}, ElementType::kF6E2M3FN);
  EXPECT_TRUE(last.is_single());
  EXPECT_TRUE(admits(last, 7.5, ElementType::kF6E2M3FN));
}

// (M - 3 2^971 + t) (1 + 3 2^-53) is above the largest number M of f64 from t =
// 3 2^920 on.
TEST(SumRange, KnowsToTheLastBitWherePartialSumsMayOverflow) {
  const double large = std::numeric_limits<double>::max() - 3 * 0x1p971;
  const auto may_overflow = [&](double t) {
    return admits(set_of_sum({large, t}, ElementType::kF64), kInfinity,
                  ElementType::kF64);
  };
  EXPECT_FALSE(may_overflow(3.5));
  EXPECT_FALSE(may_overflow(0x1p921));
  EXPECT_TRUE(may_overflow(0x1p922));
  const auto may_fall = [&](double t) {
    return admits(set_of_sum({-large, t}, ElementType::kF64), -kInfinity,
                  ElementType::kF64);
  };
  EXPECT_FALSE(may_fall(-3.5));
  EXPECT_TRUE(may_fall(-0x1p922));
}

// 2e38 + 2e38 - 2e38: 2e38 and six units, or what overflows; nothing between.
TEST(SumRange, AdmitsInfinityBesideTheNumbersWhereAPartialSumMayOverflow) {
  using enum ElementType;
  const ValueSet f32 = set_of_sum({2e38, 2e38, -2e38}, kF32);
  EXPECT_TRUE(admits(f32, 2e38, kF32));
  EXPECT_TRUE(admits(f32, kInfinity, kF32));
  for (const double wrong : {3e38, 3.4e38, 2.001e38, 1.999e38, -kInfinity}) {
    EXPECT_FALSE(admits(f32, wrong, kF32)) << wrong;
  }
  EXPECT_FALSE(f32.has_nan());
  const ValueSet both = set_of_sum({2e38, 2e38, -2e38, -2e38}, kF32);
  for (const double right : {kInfinity, -kInfinity, 0.0, 1e32}) {
    EXPECT_TRUE(admits(both, right, kF32)) << right;
  }
  for (const double wrong : {1e33, -1e33, 3e38}) {
    EXPECT_FALSE(admits(both, wrong, kF32)) << wrong;
  }
  EXPECT_TRUE(both.has_nan());
}

// The magnitudes add up to more than the largest double: 2 * 2^-53 of 3.5e308
// are 7.8e292.
TEST(SumRange, BoundsSumsOfMagnitudesBeyondDouble) {
  using enum ElementType;
  const ValueSet set = set_of_sum({-1.5e308, 1e308, 1e308}, kF64);
  for (const double right : {5e307, 5e307 + 7e292, 5e307 - 7e292, kInfinity}) {
    EXPECT_TRUE(admits(set, right, kF64)) << right;
  }
  for (const double wrong : {5e307 + 9e292, 5e307 - 9e292, 1e308, -kInfinity}) {
    EXPECT_FALSE(admits(set, wrong, kF64)) << wrong;
  }
  EXPECT_FALSE(set.has_nan());
}

uint64_t added(uint64_t a, uint64_t b, const FloatFormat& format) {
  return numeric::encode(
      numeric::decode(a, format) + numeric::decode(b, format), format);
}

/// The sums of four terms in every order, one by one and as two pairs.
std::vector<uint64_t> sums_of_trees(std::array<uint64_t, 4> terms,
                                    const FloatFormat& format) {
  std::vector<uint64_t> sums;
  std::ranges::sort(terms);
  do {
    const auto [a, b, c, d] = terms;
    const uint64_t pair = added(a, b, format);
    sums.push_back(added(added(pair, c, format), d, format));
    sums.push_back(added(pair, added(c, d, format), format));
  } while (std::ranges::next_permutation(terms).found);
  return sums;
}

/// Numbers of which few overflow together, cancel, and vanish in others.
std::vector<uint64_t> ends_of_range(const FloatFormat& format) {
  const double most = numeric::decode(format.max_finite(), format);
  std::vector<uint64_t> codes;
  for (const double share : {1.0, -1.0, 0.6, -0.6, -0.4, 0.07, 1e-3}) {
    codes.push_back(numeric::encode(share * most, format));
  }
  return codes;
}

TEST(SumRange, HoldsEveryTreeOfFourTermsAtTheEndsOfTheRange) {
  for (const TypeInfo& info : all_types()) {
    const ElementType type = info.type;
    if (!is_float(type) || type == ElementType::kF8E8M0FNU) continue;
    const FloatFormat& format = numeric::format(type);
    const std::vector<uint64_t> ends = ends_of_range(format);
    const size_t count = ends.size();
    for (size_t k = 0; k < count * count * count * count; ++k) {
      const std::array<uint64_t, 4> terms = {
          ends[k % count], ends[k / count % count],
          ends[k / count / count % count], ends[k / count / count / count]};
      ExactSum sum;
      for (const uint64_t term : terms) sum.add(numeric::decode(term, format));
      const ValueSet set = set_of(sum_range(sum, format, {}), type);
      for (const uint64_t result : sums_of_trees(terms, format)) {
        ASSERT_TRUE(set.contains(result, type))
            << name(type) << " " << numeric::decode(result, format) << ", not "
            << describe(set, type) << ", case " << k;
      }
    }
  }
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

// Parts of the least subnormal number: -0.25 and -0.75 times it lie below -0,
// and half of it below itself.
TEST(SumRange, BeginsAtMinusZeroBelowZero) {
  using enum ElementType;
  for (const ElementType type : {kF8E5M2, kF32, kF4E2M1FN}) {
    const FloatFormat& format = numeric::format(type);
    const double least =
        std::ldexp(1.0, format.min_exponent() - format.mantissa_bits);
    for (const double error : {1.25, 1.75}) {
      const ComponentRange range =
          range_around(sum_of({least}), error * least, format);
      EXPECT_EQ(range.low, format.sign_mask()) << name(type) << error;
    }
    EXPECT_EQ(range_around(sum_of({least}), least / 2, format).low, 1U);
  }
  // Without -0 there is +0.
  EXPECT_EQ(
      range_around(sum_of({0x1p-17}), 0x1.cp-17, numeric::format(kF8E5M2FNUZ))
          .low,
      0U);
}

// Sums between 57344, the largest number, and 65536 have no code above them.
TEST(SumRange, HoldsNoNumberWhereBothEndsAreBeyondTheLargest) {
  using enum ElementType;
  const FloatFormat& format = numeric::format(kF8E5M2FNUZ);
  const auto around = [&](double sum, double error) {
    return set_of(range_around(sum_of({sum}), error, format), kF8E5M2FNUZ);
  };
  const ValueSet beyond = around(77824, 19456);
  EXPECT_FALSE(beyond.has_numbers());
  EXPECT_TRUE(beyond.has_nan());
  EXPECT_TRUE(around(-77824, 19456).nans() == around(-77824, 19456));
  EXPECT_TRUE(admits(around(77824, 20480), 57344, kF8E5M2FNUZ));
  // 60000 is 57344 rounded, whatever the ends are.
  const ValueSet near = around(60000, 1000);
  EXPECT_TRUE(admits(near, 57344, kF8E5M2FNUZ));
  EXPECT_FALSE(admits(near, 49152, kF8E5M2FNUZ));
}

// 1e308 * 1e308 + 1e300 * 1e300 is 1e616 within 4 * 2^-53 of it.
// 2^1985 is left of 2^1998; the last rounding is one of it.
TEST(SumRange, RoundsWhatIsLeftBeyondDouble) {
  const FloatFormat& format = numeric::format(ElementType::kBF16);
  ExactSum sum;
  sum.add_product(0x1p+1000, 0x1p+997);
  sum.add_product(-0x1p+1000, 0x1p+997);
  sum.add_product(0x1p+1000, 0x1p+985);
  const SumErrors errors{.products = true,
                         .accumulation = Accumulation::kF32Rn,
                         .operand = ElementType::kF64};
  const ValueSet set =
      set_of(sum_range(sum, format, errors), ElementType::kBF16);
  EXPECT_TRUE(set.contains(0x7f80, ElementType::kBF16));
  EXPECT_FALSE(set.contains(0x3f80, ElementType::kBF16));
}

TEST(SumRange, BoundsSumsOfProductsBeyondDouble) {
  using enum ElementType;
  const FloatFormat& format = numeric::format(kF64);
  ExactSum sum;
  sum.add_product(1e308, 1e308);
  sum.add_product(1e300, 1e300);
  for (const Accumulation way :
       {Accumulation::kWideAny, Accumulation::kStrictOut}) {
    const SumErrors errors{.products = true, .accumulation = way};
    const ValueSet set = set_of(sum_range(sum, format, errors), kF64);
    EXPECT_TRUE(set.is_single());
    EXPECT_TRUE(admits(set, kInfinity, kF64));
  }
  // What cancels leaves 1e600 and all that the errors of 1e616 hold.
  sum.add_product(-1e308, 1e308);
  const ValueSet open =
      set_of(sum_range(sum, format, {.products = true}), kF64);
  EXPECT_TRUE(admits(open, 0, kF64));
}

TEST(SumRange, FreesTheZeroThatStandsForNan) {
  const auto infinity = std::numeric_limits<double>::infinity();
  const ValueSet set =
      set_of_sum({infinity, -infinity}, ElementType::kF4E2M1FN);
  EXPECT_EQ(set, ValueSet::range(-1, 0));
}

// What narrowing takes from an operand of 1 - 2^-18, 2^-8 of it, is rounded to
// 8 bits at the end: from 1 + 2^-8 + 2^-18 it may go to the code above 1.
TEST(SumRange, RoundsTheErrorsOfNarrowOperandsToo) {
  ExactSum sum;
  sum.add_product(1, 1 - 0x1p-18);
  const SumErrors errors{.products = true,
                         .of_terms = 0x1p-8,
                         .accumulation = Accumulation::kF32Rn};
  const FloatFormat& format = numeric::format(ElementType::kBF16);
  EXPECT_EQ(sum_range(sum, format, errors).high, 0x3f81U);
}

TEST(SumRange, TakesAnErrorAsItIsWhereNoUnitIsGiven) {
  using enum ElementType;
  const ValueSet near =
      set_of(range_with_infinity(sum_of({8}), 2, f32()), kF32);
  EXPECT_EQ(near, ValueSet::range(place_of(0x40c00000, kF32),
                                  place_of(0x41200000, kF32)));
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

// Multiples of 2^q whose magnitudes add up to 2^(q + p), and no more.
TEST(ExactClass, EndsWithThePrecision) {
  for (const int q : {-20, 0, 30}) {
    const double most = std::ldexp(1.0, q + 24);
    const double quantum = std::ldexp(1.0, q);
    const auto is_exact = [&](const std::vector<double>& terms) {
      ExactSum sum;
      for (const double term : terms) sum.add(term);
      return is_exact_class(sum, q, f32());
    };
    EXPECT_TRUE(is_exact({most - quantum, -quantum})) << q;
    EXPECT_FALSE(is_exact({most, quantum})) << q;
  }
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

// Nothing is added to it.
TEST(SumRange, IsTheLargestNumberAloneWhereThatIsTheOnlyTerm) {
  const ValueSet set = set_of_sum({0x1.fffffep127}, ElementType::kF32);
  EXPECT_EQ(set, ValueSet::of(0x7f7fffff, ElementType::kF32));
}

// Errors of an accumulator are a small share: 2.5e38 stays in the range, and
// 3.4e38 (1 + 2^-20) does not.
TEST(SumRange, OfAnAccumulatorOverflowsWhereTheTermsDo) {
  const auto overflows = [](std::initializer_list<double> terms) {
    constexpr ElementType kF32 = ElementType::kF32;
    SumErrors errors;
    errors.accumulation = Accumulation::kF32Rn;
    return admits(set_of(sum_range(sum_of(terms), f32(), errors), kF32),
                  kInfinity, kF32);
  };
  EXPECT_FALSE(overflows({1.25e38, 1.25e38}));
  EXPECT_TRUE(overflows({0x1.fffffep127, 0x1p107}));
}

}  // namespace
}  // namespace hlo::conformance
