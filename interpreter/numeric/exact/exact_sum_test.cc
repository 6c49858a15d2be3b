#include "interpreter/numeric/exact/exact_sum.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "interpreter/numeric/real/testing/oracle.h"

namespace hlo::numeric {
namespace {

using enum ElementType;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Wide enough for every sum of products of doubles, so that MPFR is exact.
constexpr mpfr_prec_t kPrecision = 4400;

struct Oracle {
  Real sum{kPrecision};
  Real magnitude{kPrecision};

  Oracle() {
    mpfr_set_zero(sum.get(), 1);
    mpfr_set_zero(magnitude.get(), 1);
  }

  void add_product(double a, double b) {
    Real x(53);
    Real product(106);
    mpfr_set_d(x.get(), a, MPFR_RNDN);
    mpfr_mul_d(product.get(), x.get(), b, MPFR_RNDN);
    mpfr_add(sum.get(), sum.get(), product.get(), MPFR_RNDN);
    mpfr_abs(product.get(), product.get(), MPFR_RNDN);
    mpfr_add(magnitude.get(), magnitude.get(), product.get(), MPFR_RNDN);
  }

  uint64_t round(const FloatFormat& format) {
    const uint64_t bits = oracle::round_ieee(sum.get(), format);
    return mpfr_zero_p(sum.get()) != 0 ? 0 : bits;
  }

  int side(uint64_t bits, const FloatFormat& format) {
    const int order = mpfr_cmp_d(sum.get(), decode(bits, format));
    return order < 0 ? -1 : (order > 0 ? 1 : 0);
  }
};

void expect_same(const ExactSum& sum, Oracle& oracle) {
  for (const ElementType type : {kF64, kF32, kF16, kBF16, kF8E5M2, kF8E3M4}) {
    const FloatFormat& f = format(type);
    const Rounded rounded = sum.round(f);
    ASSERT_EQ(rounded.bits, oracle.round(f)) << name(type);
    ASSERT_EQ(rounded.side, oracle.side(rounded.bits, f)) << name(type);
  }
  ASSERT_EQ(sum.magnitude(), mpfr_get_d(oracle.magnitude.get(), MPFR_RNDU));
}

// Terms that cancel: a sum, its negative in another order, and a few more.
std::vector<std::pair<double, double>> cancelling(oracle::Random& random,
                                                  int low, int high) {
  std::vector<std::pair<double, double>> terms;
  const int64_t n = 1 + random.below(20);
  for (int64_t i = 0; i < n; ++i) {
    terms.emplace_back(random.real(low, high), random.real(low, high));
  }
  for (int64_t i = n - 1; i >= 0; --i) {
    const auto [a, b] = terms[static_cast<size_t>(i)];
    if (random.below(8) != 0) terms.emplace_back(-a, b);
  }
  return terms;
}

TEST(ExactSum, ProductsAgreeWithMpfr) {
  oracle::Random random(10);
  for (int i = 0; i < 6000; ++i) {
    const int high = i % 3 == 0 ? 500 : (i % 3 == 1 ? -500 : 8);
    ExactSum sum;
    Oracle oracle;
    for (const auto& [a, b] : cancelling(random, high - 570, high)) {
      sum.add_product(a, b);
      oracle.add_product(a, b);
    }
    ASSERT_NO_FATAL_FAILURE(expect_same(sum, oracle));
  }
}

TEST(ExactSum, SumsOfEveryMagnitudeAgreeWithMpfr) {
  oracle::Random random(11);
  for (int i = 0; i < 4000; ++i) {
    ExactSum sum;
    Oracle oracle;
    for (const auto& [a, b] : cancelling(random, -1074, 1023)) {
      sum.add(a);
      oracle.add_product(a, 1);
    }
    ASSERT_NO_FATAL_FAILURE(expect_same(sum, oracle));
  }
}

TEST(ExactSum, SubnormalAndHugeProductsAreExact) {
  ExactSum sum;
  sum.add_product(5e-324, 5e-324);
  sum.add_product(0x1p1023, 0x1.fffffffffffffp1023);
  sum.add_product(-0x1p1023, 0x1.fffffffffffffp1023);
  EXPECT_EQ(sum.round(format(kF64)).bits, 0U);
  EXPECT_EQ(sum.round(format(kF64)).side, 1);
  EXPECT_EQ(sum.magnitude(), kInf);
  EXPECT_EQ(sum.terms(), 3);
}

TEST(ExactSum, IntermediateOverflowIsNone) {
  ExactSum sum;
  const double most = 0x1.fffffffffffffp1023;
  for (const double x : {most, most, -most, 1.0, -most}) sum.add(x);
  EXPECT_EQ(decode(sum.round(format(kF64)).bits, format(kF64)), 1.0);
}

TEST(ExactSum, SpecialValuesDecide) {
  const auto value = [](std::initializer_list<double> terms) {
    ExactSum sum;
    for (const double x : terms) sum.add(x);
    return decode(sum.round(format(kF32)).bits, format(kF32));
  };
  EXPECT_TRUE(std::isnan(value({kNan, 1})));
  EXPECT_TRUE(std::isnan(value({kInf, -kInf})));
  EXPECT_EQ(value({kInf, 1, kInf}), kInf);
  EXPECT_EQ(value({-kInf, 1e300}), -kInf);
  EXPECT_TRUE(std::signbit(value({-0.0, -0.0})));
  EXPECT_FALSE(std::signbit(value({-0.0, 0.0})));
  EXPECT_FALSE(std::signbit(value({1.0, -1.0, -0.0})));
  EXPECT_FALSE(std::signbit(value({})));
  ExactSum sum;
  sum.add_product(0, kInf);
  EXPECT_TRUE(is_nan(sum.round(format(kF32)).bits, format(kF32)));
}

TEST(ExactSum, ClearAndMergeKeepNothingAndEverything) {
  oracle::Random random(12);
  ExactSum whole;
  ExactSum part;
  ExactSum merged;
  for (int i = 0; i < 1000; ++i) {
    const double x = random.real(-300, 300);
    whole.add(x);
    part.add(x);
    if (i % 7 == 6 || i == 999) {
      merged.add(part);
      part.clear();
    }
  }
  EXPECT_EQ(merged.round(format(kF64)).bits, whole.round(format(kF64)).bits);
  EXPECT_EQ(merged.magnitude(), whole.magnitude());
  EXPECT_EQ(merged.terms(), whole.terms());
  EXPECT_EQ(part.terms(), 0);
  EXPECT_EQ(part.round(format(kF64)).bits, 0U);
}

TEST(ExactSum, TellsTheTermsOfOneSign) {
  ExactSum sum;
  for (const double x : {0x1p900, -3.0, 0x1p-900, -0x1p-60, 0.0}) sum.add(x);
  const auto bits = [](double x) { return encode(x, format(kF64)); };
  ExactSum up = sum.of_sign(/*negative=*/false);
  up.add(-0x1p900);
  EXPECT_EQ(up.round(format(kF64)).bits, bits(0x1p-900));
  ExactSum down = sum.of_sign(/*negative=*/true);
  down.add(3.0);
  EXPECT_EQ(down.round(format(kF64)).bits, bits(-0x1p-60));
}

TEST(ExactSum, LongSumsCarryInTime) {
  ExactSum sum;
  // 2^14 merges double the pending sums; every digit is full.
  sum.add(0x1.fffffffffffffp100);
  for (int i = 0; i < 39; ++i) sum.add(sum);
  const double expected = std::ldexp(0x1.fffffffffffffp100, 39);
  EXPECT_EQ(decode(sum.round(format(kF64)).bits, format(kF64)), expected);
  EXPECT_EQ(sum.terms(), int64_t{1} << 39);
}

TEST(ExactSum, BoundsRoundOutward) {
  ExactSum sum;
  sum.add(1.0);
  const FloatFormat& f = format(kF32);
  EXPECT_EQ(sum.round_down_minus(0, f), 0x3f800000U);
  EXPECT_EQ(sum.round_up_plus(0, f), 0x3f800000U);
  EXPECT_EQ(sum.round_down_minus(0x1p-60, f), 0x3f7fffffU);
  EXPECT_EQ(sum.round_up_plus(0x1p-60, f), 0x3f800001U);
  EXPECT_EQ(sum.round_up_plus(1e300, f), 0x7f800000U);
  EXPECT_EQ(sum.round_down_minus(1e300, f), 0xff800000U);
  EXPECT_EQ(sum.round_up_plus(1e300, format(kF8E4M3FN)), 0x7eU);
  EXPECT_EQ(sum.round_down_minus(1e300, format(kF8E4M3FN)), 0xfeU);
  EXPECT_EQ(sum.round_down_minus(1.0, f), 0U);
  EXPECT_EQ(sum.round_down_minus(1.0 + 0x1p-52, f), 0xa5800000U);
}

TEST(ExactSum, BoundsOfOverflowStayFinite) {
  ExactSum sum;
  sum.add(0x1.ffffffp127);
  EXPECT_EQ(sum.round(format(kF32)).bits, 0x7f800000U);
  EXPECT_EQ(sum.round_down_minus(0, format(kF32)), 0x7f7fffffU);
}

}  // namespace
}  // namespace hlo::numeric
