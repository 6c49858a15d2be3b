#include "conformance/judge/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "conformance/judge/certified_sets.h"
#include "conformance/judge/judge_instruction.h"
#include "conformance/judge/prepared_case.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

Literal bits(const std::string& text) { return parse_bits(text); }

Verdict verdict(Expectation set, const std::string& actual) {
  const std::vector<Expectation> sets = {std::move(set)};
  return judge(sets, std::vector<Literal>{bits(actual)}).verdict;
}

bool in_bits(const std::string& value, const std::string& actual,
             bool any_nan = true) {
  return verdict(any_nan ? ArraySet::computed(bits(value))
                         : ArraySet::moved(bits(value)),
                 actual) == Verdict::kConforms;
}

ArraySet interval(const std::string& value, const std::string& low,
                  const std::string& high, bool nan = false) {
  ArraySet set = ArraySet::computed(bits(value));
  const Literal first = bits(low);
  const Literal last = bits(high);
  for (int64_t i = 0; i < set.value.element_count(); ++i) {
    put(set, i, 0,
        {.value = set.value.at(i).bits[0],
         .low = first.at(i).bits[0],
         .high = last.at(i).bits[0],
         .nan = nan});
  }
  return set;
}

bool holds(const Expectation& set, const std::string& actual) {
  return verdict(set, actual) == Verdict::kConforms;
}

TEST(Judge, AsksTheCertifiedSetsOfTheArguments) {
  const Module module = verified_module(R"(HloModule m
ENTRY main {
  x = s32[2] parameter(0)
  y = s32[] parameter(1)
  z = s32[] negate(y)
  ROOT r = (s32[], s32[2]) tuple(z, x)
})");
  const auto sets =
      certified_sets(module, {text::parse_literal_with_shape("s32[2] {1, 2}"),
                              text::parse_literal_with_shape("s32[] 3")});
  const auto verdict_of = [&](const char* first, const char* second) {
    const std::vector<Literal> leaves = {
        text::parse_literal_with_shape(first),
        text::parse_literal_with_shape(second)};
    return judge(sets, leaves).verdict;
  };
  EXPECT_EQ(verdict_of("s32[] -3", "s32[2] {1, 2}"), Verdict::kConforms);
  EXPECT_EQ(verdict_of("s32[] 3", "s32[2] {1, 2}"), Verdict::kDiffers);
  EXPECT_EQ(verdict_of("s32[] -3", "s32[2] {1, 3}"), Verdict::kDiffers);
}

TEST(Judge, ComparesNoInstructionThatOnlyMovesValuesAbout) {
  const Module module = text::parse(R"(HloModule m
ENTRY main {
  x = f32[] parameter(0)
  sum = f32[] add(x, x)
  pair = (f32[], f32[]) tuple(sum, x)
  ROOT second = f32[] get-tuple-element(pair), index=1
})");
  std::string compared;
  for (const auto& instruction : module.entry->instructions) {
    if (is_compared(*instruction)) compared += instruction->name + " ";
  }
  EXPECT_EQ(compared, "sum ");
}

TEST(Judge, TakesAnyQuietNanWhereTheOperationComputes) {
  EXPECT_TRUE(in_bits("f32[] 7fc00000", "f32[] ffc12345"));
  EXPECT_FALSE(in_bits("f32[] 7fc00000", "f32[] 7f800001"));
  EXPECT_FALSE(in_bits("f32[] 7fc00000", "f32[] 7f800000"));
  EXPECT_FALSE(in_bits("f32[] 3f800000", "f32[] 7fc00000"));
  EXPECT_TRUE(in_bits("f8e4m3fn[] 7f", "f8e4m3fn[] ff"));
}

TEST(Judge, WantsTheSameNanWhereDataMoves) {
  EXPECT_TRUE(in_bits("f32[] 7f800001", "f32[] 7f800001", false));
  EXPECT_FALSE(in_bits("f32[] 7f800001", "f32[] 7fc00001", false));
}

TEST(Judge, TellsTheZerosApart) {
  EXPECT_FALSE(in_bits("f32[] 00000000", "f32[] 80000000"));
}

TEST(Judge, HoldsSumsToTheirInterval) {
  const ArraySet set =
      interval("f32[] 3f800000", "f32[] 3f7ffffe", "f32[] 3f800001");
  EXPECT_TRUE(holds(set, "f32[] 3f7ffffe"));
  EXPECT_FALSE(holds(set, "f32[] 3f800002"));
  EXPECT_FALSE(holds(set, "f32[] 7fc00000"));
}

TEST(Judge, HoldsLargeDoublesToTheirInterval) {
  const ArraySet set =
      interval("f64[] 4000000000000000", "f64[] 3ff0000000000000",
               "f64[] 4010000000000000");
  EXPECT_TRUE(holds(set, "f64[] 4008000000000000"));
  EXPECT_FALSE(holds(set, "f64[] 4020000000000000"));
  EXPECT_FALSE(holds(set, "f64[] ffefffffffffffff"));
}

TEST(Judge, HoldsIntegersToTheirInterval) {
  const ArraySet set = interval("s8[] 00", "s8[] fb", "s8[] 06");
  EXPECT_TRUE(holds(set, "s8[] fb"));
  EXPECT_TRUE(holds(set, "s8[] 06"));
  EXPECT_FALSE(holds(set, "s8[] fa"));
  EXPECT_FALSE(holds(set, "s8[] 07"));
  const ArraySet wide =
      interval("u64[] 8000000000000000", "u64[] 7fffffffffffffff",
               "u64[] ffffffffffffffff");
  EXPECT_TRUE(holds(wide, "u64[] ffffffffffffffff"));
  EXPECT_FALSE(holds(wide, "u64[] 0000000000000000"));
}

TEST(Judge, OrdersTheZerosOfAnInterval) {
  const ArraySet plus =
      interval("f32[] 00000000", "f32[] 00000000", "f32[] 00000000");
  const ArraySet both =
      interval("f32[] 80000000", "f32[] 80000000", "f32[] 00000000");
  EXPECT_FALSE(holds(plus, "f32[] 80000000"));
  EXPECT_TRUE(holds(both, "f32[] 00000000"));
}

TEST(Judge, AdmitsNanWhereASumMayOverflow) {
  const auto everything = [](bool nan) {
    return interval("f32[] 00000000", "f32[] ff800000", "f32[] 7f800000", nan);
  };
  EXPECT_FALSE(holds(everything(false), "f32[] 7fc00000"));
  EXPECT_TRUE(holds(everything(true), "f32[] 7fc00000"));
  EXPECT_TRUE(holds(interval("f8e4m3fn[] 7e", "f8e4m3fn[] 70", "f8e4m3fn[] 7f"),
                    "f8e4m3fn[] ff"));
  EXPECT_TRUE(holds(interval("f8e4m3fn[] 7e", "f8e4m3fn[] 7f", "f8e4m3fn[] 7e"),
                    "f8e4m3fn[] fe"));
  EXPECT_TRUE(
      holds(interval("f32[] 7fc00000", "f32[] 3f800000", "f32[] 3f800000"),
            "f32[] ffc00000"));
}

TEST(Judge, TellsWhetherEndsThatAreNanAdmitNumbers) {
  const auto of = [](const std::string& value) {
    return interval("f8e4m3fnuz[] " + value, "f8e4m3fnuz[] 80",
                    "f8e4m3fnuz[] 80");
  };
  EXPECT_TRUE(holds(of("db"), "f8e4m3fnuz[] 00"));
  EXPECT_TRUE(holds(of("db"), "f8e4m3fnuz[] 80"));
  EXPECT_TRUE(holds(of("80"), "f8e4m3fnuz[] 80"));
  EXPECT_FALSE(holds(of("80"), "f8e4m3fnuz[] 00"));
}

TEST(Judge, CountsEmptyBoundsOfEachPart) {
  ArraySet set = ArraySet::computed(bits("c64[] 3f800000:3f800000"));
  const ComponentRange all =
      whole_range(0x3f800000, numeric::format(ElementType::kF32));
  put(set, 0, 1, all);
  EXPECT_EQ(set.empty_bounds, (std::vector<bool>{false, true}));
  const std::vector<Expectation> sets = {set};
  const auto judged = [&](const std::string& actual) {
    return judge(sets, std::vector<Literal>{bits(actual)}).closeness;
  };
  EXPECT_EQ(judged("c64[] 3f800000:40000000").empty_bounds, 1);
  EXPECT_EQ(judged("c64[] 40000000:3f800000").empty_bounds, 0);
}

TEST(Judge, DescribesTheNansOfASet) {
  constexpr auto kF32 = ElementType::kF32;
  EXPECT_EQ(describe(ValueSet::any_quiet_nan(), kF32), "any quiet NaN");
  EXPECT_EQ(describe(ValueSet::of(0x7f800001, kF32), kF32),
            describe(Scalar{kF32, {0x7f800001, 0}}));
}

TEST(Judge, LooksAtBothPartsOfAComplexElement) {
  EXPECT_TRUE(in_bits("c64[] 3f800000:7fc00000", "c64[] 3f800000:ffc00000"));
  EXPECT_FALSE(in_bits("c64[] 3f800000:00000000", "c64[] 3f800000:80000000"));
}

TEST(Judge, NamesTheFirstElementOutside) {
  const std::vector<Expectation> sets = {
      ArraySet::computed(bits("f32[2,2] 3f800000*4"))};
  const Judgement judgement =
      judge(sets, std::vector<Literal>{
                      bits("f32[2,2] 3f800000 3f800000 3f800002 7fc00000")});
  EXPECT_EQ(judgement.verdict, Verdict::kDiffers);
  ASSERT_TRUE(judgement.difference.has_value());
  EXPECT_EQ(judgement.difference->index, (Index{1, 0}));
  EXPECT_EQ(judgement.difference->ulps, 2);
  EXPECT_EQ(judgement.closeness.outside, 2);
  EXPECT_TRUE(std::isinf(judgement.closeness.worst_ulps));
}

TEST(Judge, MeasuresIntegersByTheirDifference) {
  const auto worst = [](const char* expected, const char* actual) {
    const std::vector<Expectation> sets = {ArraySet::computed(bits(expected))};
    return judge(sets, std::vector<Literal>{bits(actual)}).closeness.worst_ulps;
  };
  EXPECT_EQ(worst("s32[] ffffffff", "s32[] 00000002"), 3);
  EXPECT_EQ(worst("u8[] ff", "u8[] 02"), 253);
  EXPECT_EQ(worst("s8[] ff", "s8[] 02"), 3);
  EXPECT_EQ(worst("pred[] 1", "pred[] 0"), 1);
  EXPECT_EQ(worst("u64[] 0000000000000000", "u64[] ffffffffffffffff"),
            static_cast<double>(std::numeric_limits<int64_t>::max()));
}

// 5 codes below 1 and 3 above it.
TEST(Judge, MeasuresComplexNumbersByTheirWorsePart) {
  const std::vector<Expectation> sets = {
      ArraySet::computed(bits("c64[] 3f800000:3f800000"))};
  for (const char* actual :
       {"c64[] 3f7ffffb:3f800003", "c64[] 3f800003:3f7ffffb"}) {
    EXPECT_EQ(
        judge(sets, std::vector<Literal>{bits(actual)}).closeness.worst_ulps,
        5);
  }
}

TEST(Judge, ReportsTheShareOfTheBound) {
  const std::vector<Expectation> sets = {
      interval("f32[] 3f800000", "f32[] 3f7ffff0", "f32[] 3f800008")};
  const Judgement judgement =
      judge(sets, std::vector<Literal>{bits("f32[] 3f800002")});
  EXPECT_EQ(judgement.closeness.headroom, 0.25);
  const auto same = judge(sets, std::vector<Literal>{bits("f32[] 3f800000")});
  EXPECT_EQ(same.closeness.headroom, 0);
  const std::vector<Expectation> one = {
      ArraySet::computed(bits("f32[] 3f800000"))};
  const auto off = judge(one, std::vector<Literal>{bits("f32[] 3f800002")});
  EXPECT_FALSE(off.closeness.headroom.has_value());
}

// The second of three leaves has all bits of the reference.
TEST(Judge, ReportsTheLargestShareOfAllLeaves) {
  const ArraySet set =
      interval("f32[] 3f800000", "f32[] 3f7ffff0", "f32[] 3f800008");
  const std::vector<Expectation> sets = {set, set, set};
  const auto headroom = [&](const char* first, const char* last) {
    return judge(sets, std::vector<Literal>{bits(first), bits("f32[] 3f800000"),
                                            bits(last)})
        .closeness.headroom;
  };
  EXPECT_EQ(headroom("f32[] 3f800004", "f32[] 3f800002"), 0.5);
  EXPECT_EQ(headroom("f32[] 3f800002", "f32[] 3f800004"), 0.5);
}

TEST(Judge, TellsWrongShapes) {
  EXPECT_EQ(verdict(ArraySet::computed(bits("f32[2] 00000000*2")),
                    "f32[1,2] 00000000*2"),
            Verdict::kWrongShape);
  EXPECT_EQ(judge({}, std::vector<Literal>{bits("f32[] 00000000")}).verdict,
            Verdict::kWrongShape);
}

// What is read from memory alone has no sizes of run time: of that the elements
// that shall exist are judged.
TEST(Judge, TakesArraysWithoutSizesOfRunTime) {
  const ArraySet one =
      ArraySet::computed(bits("f32[<=2](1) 3f800000 00000000"));
  EXPECT_EQ(verdict(one, "f32[2] 3f800000 40000000"), Verdict::kConforms);
  EXPECT_EQ(verdict(one, "f32[2] 40000000 40000000"), Verdict::kDiffers);
  EXPECT_EQ(verdict(one, "f32[<=2](2) 3f800000 40000000"),
            Verdict::kWrongShape);
  EXPECT_EQ(verdict(one, "f32[<=2](0) 3f800000 40000000"),
            Verdict::kWrongShape);
}

TEST(Judge, ComparesRejectionsByTheirRule) {
  const std::vector<Expectation> sets = {RejectedSet{"pad.C4"}};
  const auto failed = [](Failure::Kind kind, const std::string& rule) {
    return Failure{.kind = kind, .rule = rule, .message = "m"};
  };
  using Kind = Failure::Kind;
  EXPECT_EQ(judge(sets, failed(Kind::kRejected, "pad.C4")).verdict,
            Verdict::kRejectedRightly);
  EXPECT_EQ(judge(sets, failed(Kind::kRejected, "pad.C3")).verdict,
            Verdict::kRejectedWrongly);
  EXPECT_EQ(judge(sets, failed(Kind::kUnsupported, "")).verdict,
            Verdict::kUnsupported);
  EXPECT_EQ(judge(sets, std::vector<Literal>{}).verdict,
            Verdict::kAcceptedWrongly);
  EXPECT_EQ(judge({}, failed(Kind::kCrashed, "")).verdict, Verdict::kCrashed);
}

TEST(Judge, BlamesNobodyForWhatOnlyTheReferenceCannotEvaluate) {
  const auto accepted = [](const char* rule) {
    const std::vector<Expectation> sets = {RejectedSet{rule}};
    return judge(sets, std::vector<Literal>{}).verdict;
  };
  EXPECT_EQ(accepted("rng-bit-generator.bits"), Verdict::kUnjudged);
  EXPECT_EQ(accepted("evaluate.sizes"), Verdict::kUnjudged);
  EXPECT_EQ(accepted("constant.elided"), Verdict::kAcceptedWrongly);
}

TEST(Judge, DoesNotJudgeWhatIsUnspecified) {
  EXPECT_EQ(verdict(UnspecifiedSet{"why"}, "f32[] 00000000"),
            Verdict::kUnjudged);
}

TEST(SameOutcome, LooksAtTheElementsThatExist) {
  const Literal one = text::parse_literal_with_shape("s32[<=4](1) {2}");
  const Literal two = text::parse_literal_with_shape("s32[<=4](2) {2, 0}");
  const Scalar nine{.type = ElementType::kS32, .bits = {9, 0}};
  const auto same = [](const Literal& a, const Literal& b) {
    return same_outcome(std::vector<Literal>{a}, std::vector<Literal>{b});
  };
  Literal other = one;
  other.set(3, nine);
  EXPECT_TRUE(same(one, other));
  EXPECT_FALSE(same(one, two));
  other.set(0, nine);
  EXPECT_FALSE(same(one, other));
}

}  // namespace
}  // namespace hlo::conformance
