#include "conformance/expect/expect.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "conformance/expect/expect_module.h"
#include "conformance/judge/judge.h"
#include "conformance/levels/profile_text.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/literals/literal_bits.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

std::vector<Expectation> sets_of(const std::string& body,
                                 std::vector<Literal> arguments = {}) {
  const Module module = verified_module("HloModule m\n\n" + body);
  return expect_module(module, std::move(arguments));
}

TEST(Expect, MakesIntegerSumsExact) {
  const auto sets = sets_of(
      "f {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT c = f32[] add(a, b)\n}\n\nENTRY main {\n"
      "  x = f32[4] constant({1, 2, 3, 4})\n  z = f32[] constant(0)\n"
      "  ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=f\n}\n");
  ASSERT_EQ(sets.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<ArraySet>(sets[0]));
  EXPECT_TRUE(is_single(sets[0]));
}

/// The set of a function of one number.
ValueSet set_of(const std::string& function, const std::string& type,
                const std::string& x) {
  const auto sets =
      sets_of("ENTRY main {\n  x = " + type + "[] constant(" + x +
              ")\n  ROOT r = " + type + "[] " + function + "(x)\n}\n");
  return std::get<ArraySet>(sets.at(0)).at(0);
}

TEST(Expect, GivesRoundedFunctionsTheirSteps) {
  const ValueSet set = set_of("exponential", "f32", "1");
  const Place e = place_of(0x402df854, ElementType::kF32);
  EXPECT_LT(set.low(), e);
  EXPECT_GT(set.high(), e);
  EXPECT_LT(distance({set.low(), set.high()}), 10U);
}

TEST(Expect, KeepsFunctionsWithinTheirRange) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"sine", "1.5707963"},
      {"cosine", "0.0001"},
      {"erf", "8"},
      {"tanh", "20"},
      {"logistic", "40"}};
  for (const auto& [function, x] : rows) {
    const ValueSet set = set_of(function, "f32", x);
    EXPECT_EQ(code_at(set.high(), ElementType::kF32), 0x3f800000U) << function;
    EXPECT_LT(set.low(), set.high()) << function;
  }
}

TEST(Expect, KeepsTheSignOfWhatUnderflows) {
  const ValueSet set = set_of("exponential", "f32", "-104");
  EXPECT_TRUE(set.contains(0x00000000, ElementType::kF32));
  EXPECT_TRUE(set.contains(0x00000001, ElementType::kF32));
  EXPECT_FALSE(set.contains(0x80000000, ElementType::kF32));
}

TEST(Expect, FindsTheSideOfNarrowResults) {
  // e = 2.71828..., and its nearest bf16 is 2.71875.
  const Place e = place_of(0x402e, ElementType::kBF16);
  EXPECT_EQ(set_of("exponential", "bf16", "1"), ValueSet::range(e - 1, e));
}

bool is_single_code(const Expectation& set) {
  const auto& array = std::get<ArraySet>(set);
  return array.at(0).is_single() && array.sets.empty();
}

// A backend may make a complex number of a float by copying it.
TEST(Expect, LetsConversionsToComplexKeepSignalingNans) {
  for (const std::string x :
       {"f32[] constant(nan(0x1))", "c64[] constant((nan(0x1), 0))"}) {
    const auto sets = sets_of("ENTRY main {\n  x = " + x +
                              "\n  ROOT r = c64[] convert(x)\n}\n");
    const auto& set = std::get<ArraySet>(sets.at(0));
    EXPECT_TRUE(set.at(0, 0).contains(0x7f800001, ElementType::kF32)) << x;
    EXPECT_TRUE(set.at(0, 0).contains(0x7fc00000, ElementType::kF32)) << x;
    EXPECT_FALSE(set.at(0, 0).contains(0x7f800002, ElementType::kF32)) << x;
    EXPECT_FALSE(set.at(0, 1).contains(0x7f800001, ElementType::kF32)) << x;
  }
}

// -inf is -7.5 in a type without infinities: -7.5 + 1 = -6.5.
TEST(Expect, AddsTermsAsTheRegionTakesThem) {
  const auto sets = sets_of(
      "f {\n  a = f6e2m3fn[] parameter(0)\n  b = f6e2m3fn[] parameter(1)\n"
      "  ROOT c = f6e2m3fn[] add(a, b)\n}\n\nENTRY main {\n"
      "  x = f8e5m2[2] constant({-inf, 1})\n  i = f8e5m2[] constant(0)\n"
      "  ROOT v = f6e2m3fn[] reduce(x, i), dimensions={0}, to_apply=f\n}\n");
  const auto& set = std::get<ArraySet>(sets.at(0));
  EXPECT_EQ(describe(set.value.at(int64_t{0})).substr(0, 4), "-6.5");
  EXPECT_TRUE(set.element(0).contains(set.value.at(int64_t{0})));
  EXPECT_FALSE(set.at(0).contains(0x38, ElementType::kF6E2M3FN));  // -4
}

TEST(Expect, CountsNansAsOneValue) {
  const auto sets = sets_of(
      "ENTRY main {\n  x = f32[] constant(nan)\n  y = f32[] exponential(x)\n"
      "  ROOT r = f32[] add(y, y)\n}\n");
  ASSERT_TRUE(std::holds_alternative<ArraySet>(sets[0]));
  EXPECT_TRUE(std::get<ArraySet>(sets[0]).at(0).contains(0xffc00000,
                                                         ElementType::kF32));
}

TEST(Expect, MeasuresComplexFunctionsByTheModulus) {
  // exp(0) = 1 is off by at most 2 * 2 + 1 units of 2^-24 in each part.
  const auto sets = sets_of(
      "ENTRY main {\n  x = c64[] constant((0, 0))\n"
      "  ROOT r = c64[] exponential(x)\n}\n");
  const ValueSet real = std::get<ArraySet>(sets.at(0)).at(0, 0);
  EXPECT_EQ(code_at(real.low(), ElementType::kF32), 0x3f7ffffbU);
  EXPECT_EQ(code_at(real.high(), ElementType::kF32), 0x3f800002U);
}

TEST(Expect, LaysSetsIntoTheBoundsOfDynamicArrays) {
  const auto sets = sets_of(
      "ENTRY main {\n  x = f32[2,3] constant({{1, 2, 3}, {nan, 5, 6}})\n"
      "  n = s32[] constant(2)\n"
      "  d = f32[2,<=3] set-dimension-size(x, n), dimensions={1}\n"
      "  ROOT r = f32[2,<=3] exponential(d)\n}\n");
  const auto& set = std::get<ArraySet>(sets.at(0));
  const auto one = [](const std::string& x) {
    return std::get<ArraySet>(sets_of("ENTRY main {\n  x = f32[] constant(" +
                                      x +
                                      ")\n  ROOT r = f32[] exponential(x)\n}\n")
                                  .at(0))
        .at(0);
  };
  EXPECT_EQ(set.at(0), one("1"));
  EXPECT_EQ(set.at(1), one("2"));
  EXPECT_EQ(set.at(3), one("nan"));
  EXPECT_EQ(set.at(4), one("5"));
}

TEST(Expect, KeepsTheRuleOfNanInTheBoundsOfDynamicArrays) {
  const auto sets = sets_of(
      "ENTRY main {\n  x = f32[3] constant({nan, 2, 3})\n"
      "  n = s32[] constant(2)\n"
      "  d = f32[<=3] set-dimension-size(x, n), dimensions={0}\n"
      "  ROOT r = f32[<=3] add(d, d)\n}\n");
  EXPECT_TRUE(std::get<ArraySet>(sets.at(0))
                  .at(0)
                  .contains(0xffc00000, ElementType::kF32));
}

/// Whether NaN with other bits may come out where a signaling NaN of f32 goes
/// through the instruction.
bool frees_nan(const std::string& type, const std::string& instruction) {
  const auto sets = sets_of(
      "ENTRY main {\n  p = f32[] parameter(0)\n  x = f32[1] "
      "reshape(p)\n  ROOT r = " +
          type + " " + instruction + "\n}\n",
      {Literal::of({ElementType::kF32, {0x7fa00000, 0}})});
  return !is_single_code(sets.at(0));
}

TEST(Expect, KeepsTheBitsOfNanWhereNothingIsConverted) {
  EXPECT_FALSE(frees_nan("f32[1]", "copy(x)"));
  EXPECT_FALSE(frees_nan("f32[1]", "slice(x), slice={[0:1]}"));
  EXPECT_FALSE(frees_nan("c64[1]", "complex(x, x)"));
  EXPECT_FALSE(frees_nan("bf16[1,2]", "bitcast-convert(x)"));
  EXPECT_TRUE(frees_nan("f64[1]", "copy(x)"));
  EXPECT_TRUE(frees_nan("bf16[1]", "slice(x), slice={[0:1]}"));
  EXPECT_TRUE(frees_nan("f64[1,1]", "broadcast(x), dimensions={0}"));
}

TEST(Expect, LeavesWhatFollowsFromFreeValuesOpen) {
  const auto sets = sets_of(
      "ENTRY main {\n  x = f32[] constant(1)\n  y = f32[] exponential(x)\n"
      "  z = f32[] add(x, y)\n  ROOT r = (f32[], f32[]) tuple(y, z)\n}\n");
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<ArraySet>(sets[0]));
  EXPECT_TRUE(std::holds_alternative<UnspecifiedSet>(sets[1]));
}

TEST(Expect, TakesTheSetsOfACalledRoot) {
  const auto sets = sets_of(
      "f {\n  a = f32[] parameter(0)\n  ROOT b = f32[] exponential(a)\n}\n\n"
      "ENTRY main {\n  x = f32[] constant(1)\n"
      "  ROOT r = f32[] call(x), to_apply=f\n}\n");
  EXPECT_TRUE(std::holds_alternative<ArraySet>(sets[0]));
}

// 300 ones kept in bf16 stall at 256: n u = 300 / 256 admits that and more.
TEST(Expect, CountsBoundsThatSayNothing) {
  const Module module = verified_module(R"(HloModule m
sum {
  a = bf16[] parameter(0)
  b = bf16[] parameter(1)
  ROOT c = bf16[] add(a, b)
}
ENTRY main {
  x = bf16[300] parameter(0)
  zero = bf16[] constant(0)
  ROOT r = bf16[] reduce(x, zero), dimensions={0}, to_apply=sum
})");
  const std::vector<Literal> ones = {
      Literal::splat(Shape::array(ElementType::kBF16, {300}),
                     Scalar{.type = ElementType::kBF16, .bits = {0x3f80, 0}})};
  const auto judged = [&](const std::string& sum) {
    const std::vector<Literal> observed = {
        text::parse_literal_with_shape("bf16[] " + sum)};
    return judge(expect_module(module, ones, &observed), observed);
  };
  EXPECT_EQ(judged("256").verdict, Verdict::kConforms);
  EXPECT_EQ(judged("256").closeness.empty_bounds, 1);
  EXPECT_EQ(judged("300").closeness.empty_bounds, 0);
  EXPECT_EQ(judged("700").verdict, Verdict::kDiffers);
}

// Twelve times 5/4 are 15, which is 16 in f8e5m2; 12 roundings of 1/8 each are
// more than all of it.
TEST(Expect, CountsBoundsOfProductsThatSayNothing) {
  const auto empty_bounds = [](int64_t terms, const char* sum) {
    const std::string shape = "f8e5m2[" + std::to_string(terms) + "]";
    const Module module = verified_module(
        "HloModule m\nENTRY main {\n  a = f8e5m2[] constant(1.25)\n"
        "  one = f8e5m2[] constant(1)\n  x = " +
        shape + " broadcast(a), dimensions={}\n  y = " + shape +
        " broadcast(one), dimensions={}\n  ROOT r = f8e5m2[] dot(x, y), "
        "lhs_contracting_dims={0}, rhs_contracting_dims={0}\n}");
    const std::vector<Literal> observed = {
        text::parse_literal_with_shape(std::string("f8e5m2[] ") + sum)};
    const Judgement judgement =
        judge(expect_module(module, {}, &observed), observed);
    EXPECT_EQ(judgement.verdict, Verdict::kConforms) << terms;
    return judgement.closeness.empty_bounds;
  };
  EXPECT_EQ(empty_bounds(12, "10"), 1);
  EXPECT_EQ(empty_bounds(7, "10"), 0);
}

// 0/0, -1/0 (which is an infinity, and so the largest number) and 0/1.
TEST(Expect, LeavesTheSignOfANanOpenWhereAZeroStandsForIt) {
  const Module module = verified_module(R"(HloModule m
ENTRY main {
  x = f4e2m1fn[3] parameter(0)
  y = f4e2m1fn[3] parameter(1)
  ROOT r = f4e2m1fn[3] divide(x, y)
})");
  const auto verdict = [&](const std::string& result) {
    const auto value = [](const std::string& list) {
      return text::parse_literal_with_shape("f4e2m1fn[3] " + list);
    };
    const std::vector<Literal> observed = {value(result)};
    return judge(
               expect_module(module, {value("{0, -1, 0}"), value("{0, 0, 1}")},
                             &observed),
               observed)
        .verdict;
  };
  EXPECT_EQ(verdict("{-0, -6, 0}"), Verdict::kConforms);
  EXPECT_EQ(verdict("{0, -6, 0}"), Verdict::kConforms);
  EXPECT_EQ(verdict("{0.5, -6, 0}"), Verdict::kDiffers);
  EXPECT_EQ(verdict("{0, -6, -0}"), Verdict::kDiffers);
}

TEST(Expect, StatesBothZerosWhereOneStandsForNan) {
  const auto sets = sets_of(
      "ENTRY main {\n  x = f4e2m1fn[2] constant({0, 1})\n"
      "  ROOT r = f4e2m1fn[2] divide(x, x)\n}\n");
  const auto& set = std::get<ArraySet>(sets.at(0));
  EXPECT_EQ(set.at(0), ValueSet::range(-1, 0));
  EXPECT_TRUE(set.at(1).is_single());
}

TEST(Expect, StatesBothZerosForNanInSumsThatAreRoundedOnce) {
  const auto set_of = [](const std::string& x, const std::string& profile) {
    const Module module = verified_module(
        "HloModule m\nENTRY main {\n  x = f16[2] constant({" + x +
        "})\n  y = f6e2m3fn[2] constant({1, 2})\n"
        "  ROOT r = f6e2m3fn[] dot(x, y), lhs_contracting_dims={0}, "
        "rhs_contracting_dims={0}\n}\n");
    const auto sets =
        expect_module(module, {}, nullptr, parse_profile(profile));
    return std::get<ArraySet>(sets.at(0)).at(0);
  };
  for (const char* profile : {"exact", "exact,nan=canonical"}) {
    for (const char* x : {"nan, 1", "-nan, 1", "1, inf"}) {
      const bool is_nan = std::string_view(x) != "1, inf";
      EXPECT_EQ(set_of(x, profile) == ValueSet::range(-1, 0), is_nan)
          << profile << ": " << x;
    }
    EXPECT_FALSE(set_of("2, -1", "exact") == ValueSet::range(-1, 0));
  }
}

}  // namespace
}  // namespace hlo::conformance
