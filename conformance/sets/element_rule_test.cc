#include "conformance/sets/element_rule.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "conformance/levels/profile_text.h"
#include "conformance/sets/lanes.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// "f32[] tanh(f32[])" on given codes under a profile.
class Probe {
 public:
  Probe(const std::string& operation, ElementType type, int operands,
        const std::string& profile, std::optional<ElementType> result = {})
      : type_(type), result_(result.value_or(type)) {
    std::string text = "HloModule m\n\nENTRY main {\n";
    std::string list;
    for (int k = 0; k < operands; ++k) {
      text += fmt::format("  x{0} = {1}[] parameter({0})\n", k, name(type_));
      list += fmt::format("{}x{}", k > 0 ? ", " : "", k);
    }
    text += fmt::format("  ROOT r = {}[] {}({})\n}}\n", name(result_),
                        operation, list);
    module_ = verified_module(text);
    rule_.emplace(*module_.entry->root, parse_profile(profile),
                  /*is_intermediate=*/true);
    lanes_.emplace(*module_.entry->root);
  }

  ValueSet at(const std::vector<uint64_t>& codes) {
    return rule_->at(scalars(codes)).parts[0];
  }

  uint64_t reference(const std::vector<uint64_t>& codes) {
    return lanes_->apply(scalars(codes)).bits[0];
  }

  bool admits(const std::vector<uint64_t>& codes, uint64_t result) {
    return at(codes).contains(result, result_);
  }

 private:
  std::vector<Scalar> scalars(const std::vector<uint64_t>& codes) const {
    std::vector<Scalar> all;
    all.reserve(codes.size());
    for (const uint64_t code : codes) {
      all.push_back({.type = type_, .bits = {code, 0}});
    }
    return all;
  }

  ElementType type_;
  ElementType result_;
  Module module_;
  std::optional<ElementRule> rule_;
  std::optional<Lanes> lanes_;
};

constexpr auto kF32 = ElementType::kF32;

TEST(ElementRule, CountsStepsOfTight) {
  Probe tanh("tanh", kF32, 1, "tight");
  // tanh(7) = 0x3f7fffe4 correctly rounded; 3 steps.
  EXPECT_TRUE(tanh.admits({0x40e00000}, 0x3f7fffe7));
  EXPECT_TRUE(tanh.admits({0x40e00000}, 0x3f7fffe1));
  EXPECT_FALSE(tanh.admits({0x40e00000}, 0x3f7fffe8));
  EXPECT_FALSE(tanh.admits({0x40e00000}, 0x3f7fffe0));
}

// The powers are 65519.994, 65520.001, 65511.95 and 65536.05 (mpmath); from
// 65520 on the nearest code is infinity, which counts as 65536.
TEST(ElementRule, TakesInfinityForTheNeighbourOfTheLargestNumber) {
  const auto code = [](double x) {
    return numeric::encode(x, numeric::format(ElementType::kF16));
  };
  Probe power("power", ElementType::kF16, 2, "tight");
  const uint64_t infinity = code(HUGE_VAL);
  for (const auto& [x, y] :
       {std::pair{47.84375, 2.8671875}, std::pair{15.6171875, 4.03515625},
        std::pair{87.4375, 2.48046875}}) {
    const std::vector<uint64_t> operands = {code(x), code(y)};
    EXPECT_TRUE(power.admits(operands, infinity)) << x;
    EXPECT_TRUE(power.admits(operands, code(65504))) << x;
    EXPECT_FALSE(power.admits(operands, code(65472))) << x;
  }
  const std::vector<uint64_t> beyond = {code(28.390625), code(3.314453125)};
  EXPECT_TRUE(power.admits(beyond, infinity));
  EXPECT_FALSE(power.admits(beyond, code(65504)));
}

// The powers are 2.13 and 3.13 units in the last place beyond the largest
// number (mpmath), the quotients 2 and 3: 2.5 are granted.
TEST(ElementRule, LetsFunctionsOfF64EndAtTheLargestNumber) {
  constexpr uint64_t kLargest = 0x7fefffffffffffff;
  Probe power("power", ElementType::kF64, 2, "tight");
  EXPECT_TRUE(power.admits({0x7feffffffffff4ea, 0x3ff0000000000002}, kLargest));
  EXPECT_FALSE(
      power.admits({0x7feffffffffff4eb, 0x3ff0000000000002}, kLargest));
  Probe divide("divide", ElementType::kF64, 2, "relaxed");
  EXPECT_TRUE(divide.admits({kLargest, 0x3feffffffffffffe}, kLargest));
  EXPECT_FALSE(divide.admits({kLargest, 0x3feffffffffffffd}, kLargest));
}

TEST(ElementRule, NeverCrossesTheRangeOfTheFunction) {
  Probe tanh("tanh", kF32, 1, "opencl-full");
  EXPECT_TRUE(tanh.admits({0x41200000}, 0x3f800000));
  EXPECT_FALSE(tanh.admits({0x41200000}, 0x3f800001));
}

TEST(ElementRule, IsOneCodeWhereCorrectlyRounded) {
  Probe log("log", kF32, 1, "cr");
  EXPECT_TRUE(log.at({0x40000000}).is_single());
  EXPECT_TRUE(log.admits({0x40000000}, 0x3f317218));
}

TEST(ElementRule, IsFaithfulOnTheSideOfTheExactValue) {
  Probe log("log", kF32, 1, "faithful");
  // ln 2 = 0x3f317217.f7d1...: rounded up, the exact value below.
  EXPECT_TRUE(log.admits({0x40000000}, 0x3f317217));
  EXPECT_FALSE(log.admits({0x40000000}, 0x3f317219));
  // Exact values have no neighbours.
  EXPECT_TRUE(log.at({0x3f800000}).is_single());
}

TEST(ElementRule, MeasuresUlpsFromTheExactValue) {
  Probe divide("divide", kF32, 2, "opencl-full");
  // 1 / 3 = 0x3eaaaaaa.aaaa...: 2.5 units reach from ...a8 to ...ad.
  const std::vector<uint64_t> x = {0x3f800000, 0x40400000};
  EXPECT_TRUE(divide.admits(x, 0x3eaaaaad));
  EXPECT_FALSE(divide.admits(x, 0x3eaaaaae));
  EXPECT_TRUE(divide.admits(x, 0x3eaaaaa9));
  EXPECT_FALSE(divide.admits(x, 0x3eaaaaa8));
}

TEST(ElementRule, DecidesHalfUnitsOfF64) {
  Probe logistic("logistic", ElementType::kF64, 1, "opencl-full");
  const uint64_t x = 0x3ff0000000000000;  // logistic(1): 3.5 units
  const ValueSet set = logistic.at({x});
  EXPECT_GE(set.high() - set.low(), 6);
  EXPECT_LE(set.high() - set.low(), 7);
}

TEST(ElementRule, FlushesOperandsAndResults) {
  Probe ieee("multiply", kF32, 2, "tight");
  Probe daz("multiply", kF32, 2, "tight,subnormals=daz");
  Probe ftz("multiply", kF32, 2, "tight,subnormals=ftz");
  const std::vector<uint64_t> subnormal = {0x00400000, 0x7f000000};
  EXPECT_FALSE(ieee.admits(subnormal, 0));
  EXPECT_TRUE(daz.admits(subnormal, 0));
  EXPECT_TRUE(daz.admits(subnormal, 0x3f800000));
  EXPECT_TRUE(daz.admits({0x7f000000, 0x00400000}, 0));
  const std::vector<uint64_t> small = {0x80800000, 0x3f000000};
  EXPECT_TRUE(ftz.admits(small, 0x80000000));
  EXPECT_TRUE(ftz.admits(small, 0x80400000));
  EXPECT_FALSE(ftz.admits(small, 0));
  EXPECT_FALSE(ieee.admits(small, 0x80000000));
}

TEST(ElementRule, FlushesWhatRoundsUpToTheLeastNormalNumber) {
  Probe ftz("multiply", kF32, 2, "tight,subnormals=ftz");
  // (1 - 2^-24) 2^-126 rounds to 2^-126, from below.
  EXPECT_TRUE(ftz.admits({0x3f7fffff, 0x00800000}, 0));
  EXPECT_FALSE(ftz.admits({0x3f800000, 0x00800000}, 0));
}

// 4.25 / 15.5 is 0.274, rounded up to 0.28125, and 0.25 the least normal
// number: nothing there is subnormal.
TEST(ElementRule, FlushesNothingNormal) {
  Probe divide("divide", ElementType::kF8E3M4, 2, "relaxed");
  EXPECT_TRUE(divide.admits({0x51, 0x6f}, 0x10));
  EXPECT_FALSE(divide.admits({0x51, 0x6f}, 0));
}

// -0.058 / 1e-323 is beyond f64, and -28 where there is no infinity.
TEST(ElementRule, KeepsTheLastNumberForWhatIsBeyondDoubles) {
  Probe divide("divide", ElementType::kF64, 2, "opencl-full",
               ElementType::kF6E3M2FN);
  EXPECT_TRUE(divide.admits({0xbfadd8c60392c786, 2}, 0x3f));
  EXPECT_TRUE(divide.at({0xbfadd8c60392c786, 2}).is_single());
}

TEST(ElementRule, UnitesWhatDazMakesOfALogarithm) {
  Probe log("log", kF32, 1, "tight,subnormals=daz");
  EXPECT_TRUE(log.admits({1}, 0xff800000));
  EXPECT_TRUE(log.admits({1}, 0xc2ce8ed0));  // -103.27893
  EXPECT_FALSE(log.admits({1}, 0xc2000000));
}

TEST(ElementRule, LetsARelaxedLevelReturnAnythingForANegatedNan) {
  EXPECT_TRUE(Probe("negate", kF32, 1, "relaxed").admits({0x7f800001}, 0));
  EXPECT_FALSE(Probe("negate", kF32, 1, "tight").admits({0x7f800001}, 0));
  EXPECT_TRUE(Probe("negate", kF32, 1, "tight,nan=payload")
                  .at({0x7f800001})
                  .is_single());
}

TEST(ElementRule, MovesSubnormalNumbersUnchanged) {
  Probe negate("negate", kF32, 1, "relaxed");
  EXPECT_TRUE(negate.at({1}).is_single());
}

TEST(ElementRule, TreatsInfinityAsTheNextBinade) {
  Probe exp("exponential", kF32, 1, "opencl-full");
  // exp(88.72284) = 3.40288e38 = max + 2.6 units... overflows by a little.
  EXPECT_TRUE(exp.admits({0x42b17218}, 0x7f800000));
  EXPECT_FALSE(exp.admits({0x42b20000}, 0x7f7fffff));
  // Far below, infinity is nothing near.
  EXPECT_FALSE(exp.admits({0x42b00000}, 0x7f800000));
}

TEST(ElementRule, GivesNanTheRoleOfInfinityWhereThereIsNone) {
  constexpr auto kType = ElementType::kF8E4M3FN;
  Probe strict("multiply", kType, 2, "tight");
  // 448 * 1 = 448 (0x7e), 448 * 2 overflows to NaN (0x7f).
  EXPECT_TRUE(strict.admits({0x7e, 0x40}, 0x7f));
  EXPECT_FALSE(strict.admits({0x7e, 0x38}, 0x7f));
  Probe sinh("sinh", kType, 1, "xla-exhaustive");
  // The hole: one code off 448 is NaN, and no number is near that.
  const uint64_t six = 0x4c;  // sinh(6) = 201.7
  EXPECT_FALSE(sinh.admits({six}, 0x7f));
}

TEST(ElementRule, HasNanAloneForWhatIsNotPositiveWithoutZeroAndSign) {
  constexpr auto kType = ElementType::kF8E8M0FNU;
  Probe subtract("subtract", kType, 2, "tight");
  // 1 - 1 and 1 - 2: nothing near them is a code, and NaN (0xff) no overflow.
  const std::vector<std::vector<uint64_t>> differences = {{0x7f, 0x7f},
                                                          {0x7f, 0x80}};
  for (const std::vector<uint64_t>& x : differences) {
    EXPECT_EQ(describe(subtract.at(x), kType), "any quiet NaN");
  }
  // 2^127 + 2^127 is one.
  EXPECT_TRUE(Probe("add", kType, 2, "tight").admits({0xfe, 0xfe}, 0xff));
}

// 1 / 4 within one unit in the last place: from 0 to 1/2, but zero has no code.
TEST(ElementRule, HasNoNanForAZeroWithinTheError) {
  Probe divide("divide", ElementType::kF8E8M0FNU, 2, "opencl-full");
  EXPECT_EQ(divide.at({0x7f, 0x81}), ValueSet::range(0, 0x7e));
}

// 1.5 / 2 within a half: from 0.25, which is rounded to zero.
TEST(ElementRule, HasNoZeroWhereTheErrorEndsShortOfIt) {
  Probe divide("divide", ElementType::kF4E2M1FN, 2, "opencl-full");
  EXPECT_EQ(divide.at({3, 4}), ValueSet::range(1, 2));
}

// 7.5^4.5 is 8665; the error is that of 7.5, whose unit is 0.5.
TEST(ElementRule, MeasuresWhatSaturatesByTheLargestNumber) {
  Probe power("power", ElementType::kF6E2M3FN, 2, "relaxed");
  EXPECT_TRUE(power.at({0x1f, 0x19}).is_single());
}

TEST(ElementRule, GivesAQuotientByInfinityTheZeroOfItsSign) {
  Probe divide("divide", kF32, 2, "tight");
  const ValueSet quotient = divide.at({0xbf800000, 0x7f800000});  // -1 / inf
  EXPECT_TRUE(quotient.is_single());
  EXPECT_TRUE(quotient.contains(0x80000000, kF32));
  EXPECT_TRUE(divide.at({0x3f800000, 0x7f800000}).contains(0, kF32));
}

/// Asks for every code of a narrow type, or every fifth and fourth one.
void expect_to_hold_the_reference(const std::string& operation, size_t operands,
                                  ElementType type,
                                  const std::string& profile) {
  Probe probe(operation, type, static_cast<int>(operands), profile);
  const uint64_t codes = uint64_t{1} << bits(type);
  const bool narrow = codes < 256;
  for (uint64_t x = 0; x < codes; x += narrow || operands == 1 ? 1 : 4) {
    for (uint64_t y = 0; y < (operands == 1 ? 1 : codes); y += narrow ? 1 : 5) {
      const std::vector<uint64_t> both = {y, x};
      const std::vector<uint64_t> given(
          both.end() - static_cast<ptrdiff_t>(operands), both.end());
      const ValueSet set = probe.at(given);
      ASSERT_TRUE(set.contains(probe.reference(given), type))
          << operation << ' ' << name(type) << ' ' << profile << ' ' << y << ' '
          << x << ": " << describe(set, type);
      if (!set.has_numbers()) continue;
      ASSERT_GE(set.low(), least_place(type)) << operation << y << ' ' << x;
      ASSERT_LE(set.high(), greatest_place(type)) << operation << y << ' ' << x;
    }
  }
}

// The bits that the reference returns are in every set, whatever the profile.
TEST(ElementRule, HoldsWhatTheReferenceGives) {
  for (const char* profile :
       {"tight", "relaxed", "xla-exhaustive,subnormals=daz+ftz",
        "faithful,contraction=fma,excess-precision=allowed"}) {
    for (const ElementType type :
         {ElementType::kF4E2M1FN, ElementType::kF6E3M2FN,
          ElementType::kF8E4M3FN, ElementType::kF8E4M3FNUZ,
          ElementType::kF8E5M2, ElementType::kF8E8M0FNU}) {
      for (const char* one :
           {"exponential", "log", "negate", "rsqrt", "sign"}) {
        expect_to_hold_the_reference(one, 1, type, profile);
      }
      for (const char* two :
           {"add", "divide", "maximum", "multiply", "power", "subtract"}) {
        expect_to_hold_the_reference(two, 2, type, profile);
      }
    }
  }
}

// A type without zero has NaN for it.
TEST(ElementRule, FreesTheNanOfAnInteger) {
  const Module module = verified_module(
      "HloModule m\n\nENTRY main {\n  x = s32[] parameter(0)\n"
      "  ROOT r = f8e8m0fnu[] convert(x)\n}\n");
  ElementRule rule(*module.entry->root, parse_profile("tight,nan=free"));
  const Scalar zero{.type = ElementType::kS32, .bits = {0, 0}};
  EXPECT_TRUE(rule.at({&zero, 1}).parts[0].has_numbers());
}

TEST(ElementRule, ObeysTheRulesOfNan) {
  const std::vector<uint64_t> x = {0x7fc12345, 0x3f800000};
  EXPECT_TRUE(Probe("add", kF32, 2, "tight").admits(x, 0xffc00001));
  EXPECT_FALSE(Probe("add", kF32, 2, "tight").admits(x, 0x7f800001));
  EXPECT_FALSE(
      Probe("add", kF32, 2, "tight,nan=canonical").admits(x, 0x7fc12345));
  EXPECT_TRUE(Probe("add", kF32, 2, "tight,nan=payload").admits(x, 0x7fc12345));
  EXPECT_FALSE(
      Probe("add", kF32, 2, "tight,nan=payload").admits(x, 0x7fc00000));
  EXPECT_TRUE(Probe("add", kF32, 2, "tight,nan=free").admits(x, 0x40000000));
}

TEST(ElementRule, TakesThePayloadOfEitherOperand) {
  Probe add("add", kF32, 2, "tight,nan=payload");
  const std::vector<uint64_t> x = {0x7fc00001, 0xff800002};
  EXPECT_TRUE(add.admits(x, 0x7fc00001));
  EXPECT_TRUE(add.admits(x, 0xffc00002));
  EXPECT_FALSE(add.admits(x, 0xff800002));
  EXPECT_FALSE(add.admits(x, 0x7fc00000));
}

// -448 - 448 overflows to NaN, of that sign in the reference.
TEST(ElementRule, HasOneCanonicalNanForWhatOverflows) {
  Probe add("add", ElementType::kF8E4M3FN, 2, "tight,nan=canonical");
  EXPECT_EQ(add.at({0xfe, 0xfe}).only_nan(), 0xffU);
}

TEST(ElementRule, LetsACopyKeepASignalingNan) {
  const uint64_t nan = 0x7f800001;
  for (const char* profile : {"tight", "tight,nan=payload"}) {
    Probe convert("convert", kF32, 1, profile);
    EXPECT_TRUE(convert.admits({nan}, nan)) << profile;
    EXPECT_TRUE(convert.admits({nan}, 0x7fc00001)) << profile;
  }
  EXPECT_EQ(Probe("convert", kF32, 1, "tight,nan=canonical").at({nan}),
            ValueSet::of(nan, kF32));
}

// 1.125^52 = 456.9 lies between 448 (0x7e) and 480, which NaN (0x7f) stands
// for.
TEST(ElementRule, TakesNanForTheNeighbourOfTheLargestNumberWithoutInfinity) {
  Probe power("power", ElementType::kF8E4M3FN, 2, "faithful");
  EXPECT_TRUE(power.admits({0x39, 0x65}, 0x7e));
  EXPECT_TRUE(power.admits({0x39, 0x65}, 0x7f));
  EXPECT_FALSE(power.admits({0x39, 0x65}, 0x7d));
  // 2^8 and 1.75 * 2^8 are numbers of the type.
  EXPECT_FALSE(power.admits({0x40, 0x50}, 0x7f));
}

// tanh(inf) = 1, and 20 * 2^-23 below it lies 0x3f7fffd8.
TEST(ElementRule, MeasuresWhatInfiniteOperandsGive) {
  Probe tanh("tanh", kF32, 1, "xla-exhaustive");
  EXPECT_TRUE(tanh.admits({0x7f800000}, 0x3f800000));
  EXPECT_TRUE(tanh.admits({0x7f800000}, 0x3f7fffd9));
  EXPECT_FALSE(tanh.admits({0x7f800000}, 0x3f7fffd7));
  EXPECT_FALSE(tanh.admits({0x7f800000}, 0));
  // 12 units in the last place and none for |x|.
  Probe relaxed("tanh", kF32, 1, "relaxed");
  EXPECT_FALSE(relaxed.admits({0xff800000}, 0xbf7fffe0));
}

// atanh(-1) is -inf, and so the least number: -7.5.
// 20 2^-52 of 1.258 2^-1022 are 25.16 of the least number: log1p(x) = x there.
TEST(ElementRule, RoundsNoErrorAmongTheLeastDoubles) {
  Probe log1p("log-plus-one", ElementType::kF64, 1, "xla-exhaustive");
  const uint64_t x = 0x001421186ebe819f;
  EXPECT_TRUE(log1p.admits({x}, x + 25));
  EXPECT_TRUE(log1p.admits({x}, x - 25));
  EXPECT_FALSE(log1p.admits({x}, x + 26));
  EXPECT_FALSE(log1p.admits({x}, x - 26));
  // 18.995 of the least number, within 2.5.
  Probe divide("divide", ElementType::kF64, 2, "relaxed");
  EXPECT_TRUE(divide.admits({3, 0x3fc437330f1de31f}, 21));
  EXPECT_FALSE(divide.admits({3, 0x3fc437330f1de31f}, 22));
}

TEST(ElementRule, HasOneValueWhereTheExactOneIsInfinite) {
  Probe atanh("atanh", ElementType::kF6E2M3FN, 1, "xla-exhaustive");
  EXPECT_EQ(atanh.at({0x28}), ValueSet::of(0x3f, ElementType::kF6E2M3FN));
}

TEST(ElementRule, HasOneValueWhereTheExactOneIsZero) {
  EXPECT_TRUE(Probe("sine", kF32, 1, "relaxed,zero-sign=strict")
                  .at({0x80000000})
                  .is_single());
  EXPECT_TRUE(Probe("log", kF32, 1, "relaxed,zero-sign=strict")
                  .at({0x3f800000})
                  .is_single());
  EXPECT_FALSE(Probe("log", kF32, 1, "relaxed").at({0x3f800001}).is_single());
}

TEST(ElementRule, LeavesTheSignOfAZeroOpenThatStandsForNan) {
  constexpr auto kType = ElementType::kF4E2M1FN;
  const ValueSet zeros = ValueSet::range(-1, 0);
  EXPECT_EQ(Probe("divide", kType, 2, "tight").at({0, 0}), zeros);
  EXPECT_EQ(Probe("remainder", kType, 2, "tight").at({9, 0}), zeros);
  EXPECT_EQ(Probe("sqrt", kType, 1, "tight").at({0xa}), zeros);
  EXPECT_EQ(Probe("acos", kType, 1, "cr").at({0xe}), zeros);
  EXPECT_TRUE(Probe("remainder", kType, 2, "tight").at({2, 2}).is_single());
  EXPECT_TRUE(Probe("subtract", kType, 2, "tight").at({2, 2}).is_single());
}

TEST(ElementRule, FreesTheSignOfZeroWhereLax) {
  EXPECT_FALSE(
      Probe("maximum", kF32, 2, "tight").admits({0, 1U << 31}, 1U << 31));
  EXPECT_TRUE(Probe("maximum", kF32, 2, "tight,zero-sign=lax")
                  .admits({0, 1U << 31}, 1U << 31));
}

// What a level admits, every laxer one of the same kind admits too.
TEST(ElementRule, NestsLevels) {
  for (const char* operation : {"exponential", "tanh", "log", "sine"}) {
    std::vector<ValueSet> sets;
    for (const char* level : {"cr", "faithful", "tight", "opencl-full"}) {
      Probe probe(operation, kF32, 1, level);
      sets.push_back(probe.at({0x3fa12345}));
    }
    for (size_t k = 0; k + 1 < sets.size(); ++k) {
      EXPECT_LE(sets[k + 1].low(), sets[k].low()) << operation << k;
      EXPECT_GE(sets[k + 1].high(), sets[k].high()) << operation << k;
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
