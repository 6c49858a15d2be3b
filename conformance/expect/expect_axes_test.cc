#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "conformance/expect/expect.h"
#include "conformance/expect/expect_module.h"
#include "conformance/judge/judge.h"
#include "conformance/levels/profile_text.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// Whether the program with that profile is unspecified.
bool is_open(const std::string& body, const std::string& profile) {
  const Module module = verified_module("HloModule m\n\n" + body);
  const auto sets = expect_module(module, {}, nullptr, parse_profile(profile));
  return std::holds_alternative<UnspecifiedSet>(sets.at(0));
}

/// The running results of an operation on those numbers.
std::string running(const std::string& operation, const std::string& values) {
  return "f {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  c = "
         "f32[] " +
         operation +
         "(a, b)\n  ROOT r = (f32[], f32[]) tuple(c, c)\n}\n\nENTRY main {\n"
         "  x = f32[2] constant({" +
         values +
         "})\n  i = f32[] constant(1)\n"
         "  ROOT r = (f32[2], f32[]) scan(x, i), dimensions={0}, "
         "num_carries=1, "
         "to_apply=f\n}\n";
}

// 1e-40 may count as zero, then or before; so may products on the way.
TEST(Expect, LeavesScansOpenThatMayFlush) {
  const std::string small = running("maximum", "1e-40, 2");
  EXPECT_FALSE(is_open(small, "tight"));
  EXPECT_TRUE(is_open(small, "tight,subnormals=daz"));
  EXPECT_TRUE(is_open(small, "tight,subnormals=ftz"));
  EXPECT_FALSE(is_open(running("maximum", "3, 2"), "tight,subnormals=daz"));
  EXPECT_FALSE(is_open(running("multiply", "3, 2"), "tight"));
  EXPECT_TRUE(is_open(running("multiply", "3, 2"), "tight,subnormals=daz"));
}

/// The greatest of those numbers and 0, by a region of comparisons.
std::string selected(const std::string& values) {
  return "f {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
         "  p = pred[] compare(a, b), direction=GT\n"
         "  ROOT c = f32[] select(p, a, b)\n}\n\nENTRY main {\n"
         "  x = f32[2] constant({" +
         values +
         "})\n  i = f32[] constant(0)\n"
         "  ROOT r = f32[] reduce(x, i), dimensions={0}, to_apply=f\n}\n";
}

TEST(Expect, LeavesSelectionsOpenThatMayFlush) {
  EXPECT_FALSE(is_open(selected("1e-40, -1"), "tight"));
  EXPECT_TRUE(is_open(selected("1e-40, -1"), "tight,subnormals=daz"));
  EXPECT_FALSE(is_open(selected("2, -1"), "tight,subnormals=daz"));
}

/// A map of 2 whose region calls a computation of `x`.
std::string mapped(const std::string& called) {
  return "called {\n  x = f32[] parameter(0)\n" + called +
         "}\n\nf {\n  a = f32[] parameter(0)\n"
         "  ROOT c = f32[] call(a), to_apply=called\n}\n\nENTRY main {\n"
         "  x = f32[1] constant({2})\n"
         "  ROOT r = f32[1] map(x), dimensions={0}, to_apply=f\n}\n";
}

// The calls of a region count for what they run, and not themselves.
TEST(Expect, LooksForProductsThatMayFlushInWhatARegionCalls) {
  const std::string product = mapped("  ROOT y = f32[] multiply(x, x)\n");
  EXPECT_FALSE(is_open(product, "tight"));
  EXPECT_TRUE(is_open(product, "tight,subnormals=daz"));
  EXPECT_TRUE(is_open(product, "tight,subnormals=ftz"));
  const std::string movement = mapped("  ROOT y = f32[] copy(x)\n");
  EXPECT_FALSE(is_open(movement, "tight,subnormals=daz"));
  EXPECT_FALSE(is_open(movement, "tight,subnormals=ftz"));
}

// With no flush the greater of 1e-40 and 2e-40 is the latter; where any may
// happen, nothing else is judged.
TEST(Expect, AdmitsWhatFlushesNothing) {
  const Module module =
      verified_module("HloModule m\n\n" + running("maximum", "1e-40, 2"));
  const auto verdict = [&](const char* carry) {
    const std::vector<Literal> observed = {
        text::parse_literal_with_shape("f32[2] {1, 2}"),
        text::parse_literal_with_shape(std::string("f32[] ") + carry)};
    return judge(expect_module(module, {}, &observed,
                               parse_profile("tight,subnormals=daz")),
                 observed)
        .verdict;
  };
  EXPECT_EQ(verdict("2"), Verdict::kConforms);
  EXPECT_EQ(verdict("3"), Verdict::kUnjudged);
}

/// The set of a fold of those numbers by an operation, under the profile.
ValueSet folded(const std::string& operation, const std::string& values,
                const std::string& profile) {
  const Module module = verified_module(
      "HloModule m\n\nf {\n  a = f32[] parameter(0)\n  b = f32[] "
      "parameter(1)\n  ROOT c = f32[] " +
      operation + "(a, b)\n}\n\nENTRY main {\n  x = f32[3] constant({" +
      values +
      "})\n  i = f32[] constant(0)\n"
      "  ROOT r = f32[] reduce(x, i), dimensions={0}, to_apply=f\n}\n");
  return std::get<ArraySet>(
             expect_module(module, {}, nullptr, parse_profile(profile)).at(0))
      .at(0);
}

// 1e-40 is 000116c2 in f32. Of 2^24, 1 and 1 any order may be added.
TEST(Expect, FlushesThePickOfAFoldWhereTheProfileDoes) {
  constexpr ElementType kF32 = ElementType::kF32;
  const auto places = [](uint64_t low, uint64_t high) {
    return ValueSet::range(place_of(low, kF32), place_of(high, kF32));
  };
  const std::string ftz = "tight,subnormals=ftz";
  const ValueSet up = folded("maximum", "-1, 1e-40, -2", ftz);
  EXPECT_TRUE(up.contains(0x000116c2, kF32));
  EXPECT_TRUE(up.contains(0, kF32));
  EXPECT_FALSE(up.contains(0x000116c1, kF32));
  EXPECT_FALSE(up.contains(0x80000000, kF32));
  const ValueSet down = folded("minimum", "1, -1e-40, 2", ftz);
  EXPECT_TRUE(down.contains(0x800116c2, kF32));
  EXPECT_TRUE(down.contains(0x80000000, kF32));
  EXPECT_FALSE(down.contains(0x800116c1, kF32));
  for (const char* ieee : {"tight", "tight,nan=canonical"}) {
    EXPECT_EQ(folded("maximum", "-1, 1e-40, -2", ieee),
              places(0x000116c2, 0x000116c2));
  }
  EXPECT_TRUE(folded("add", "16777216, 1, 1", ftz).contains(0x4b800000, kF32));
  EXPECT_TRUE(folded("add", "16777216, 1, 1", ftz).contains(0x4b800001, kF32));
}

// Two numbers come to element 0: the last that comes stays.
TEST(Expect, TriesUpdatesByAnExactRegionInAllOrders) {
  const auto verdict = [](const std::string& region, const char* result) {
    const Module module = verified_module(
        "HloModule m\nf {\n  a = f32[] parameter(0)\n  b = f32[] "
        "parameter(1)\n  ROOT c = f32[] " +
        region +
        "\n}\nENTRY main {\n  x = f32[2] constant({1, 2})\n"
        "  i = s32[2,1] constant({{0}, {0}})\n  u = f32[2] constant({5, 6})\n"
        "  ROOT r = f32[2] scatter(x, i, u), update_window_dims={}, "
        "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
        "index_vector_dim=1, to_apply=f\n}\n");
    const std::vector<Literal> observed = {
        text::parse_literal_with_shape(result)};
    return judge(expect_module(module, {}, &observed), observed).verdict;
  };
  EXPECT_EQ(verdict("copy(b)", "f32[2] {6, 2}"), Verdict::kConforms);
  EXPECT_EQ(verdict("copy(b)", "f32[2] {5, 2}"), Verdict::kConforms);
  EXPECT_EQ(verdict("copy(b)", "f32[2] {1, 2}"), Verdict::kDiffers);
  EXPECT_EQ(verdict("copy(b)", "f32[2] {5, 5}"), Verdict::kDiffers);
  EXPECT_EQ(verdict("exponential(b)", "f32[2] {7, 2}"), Verdict::kUnjudged);
}

// A window of two columns begins in the last one: its first element is open.
TEST(Expect, OpensWhatAPartialWindowWouldReach) {
  const Module module = verified_module(R"(HloModule m
second { a = c64[] parameter(0) ROOT b = c64[] parameter(1) }
ENTRY main {
  x = c64[2,2] constant({{(1, 0), (2, 0)}, {(3, 0), (4, 0)}})
  i = s32[1,2] constant({{0, 1}})
  u = c64[1,1,2] constant({{{(5, 0), (6, 0)}}})
  ROOT r = c64[2,2] scatter(x, i, u), update_window_dims={1,2},
    inserted_window_dims={}, scatter_dims_to_operand_dims={0,1},
    index_vector_dim=1, to_apply=second
})");
  constexpr ElementType kF32 = ElementType::kF32;
  const auto set_under = [&](const char* profile) {
    return std::get<ArraySet>(
        expect_module(module, {}, nullptr, parse_profile(profile)).at(0));
  };
  const ArraySet open = set_under("tight,scatter-windows=any");
  for (int part = 0; part < 2; ++part) {
    EXPECT_TRUE(open.at(1, part).contains(0x7fc00000, kF32));
    EXPECT_TRUE(open.at(1, part).contains(0x40a00000, kF32));
    for (const int64_t i : {0, 2, 3}) {
      EXPECT_TRUE(open.at(i, part).is_single()) << i;
    }
  }
  EXPECT_TRUE(set_under("tight").at(1).is_single());
}

// Zeros may have any sign, and NaN may be another one.
TEST(Expect, HoldsBothPartsOfComplexResultsToTheAxes) {
  const auto set_under = [](const std::string& number, const char* profile) {
    const Module module = verified_module(
        "HloModule m\nENTRY main {\n  x = c64[] constant(" + number +
        ")\n  z = c64[] constant((-0, -0))\n  ROOT r = c64[] add(x, z)\n}");
    return std::get<ArraySet>(
        expect_module(module, {}, nullptr, parse_profile(profile)).at(0));
  };
  constexpr ElementType kF32 = ElementType::kF32;
  for (int part = 0; part < 2; ++part) {
    const ArraySet zeros = set_under("(0, 0)", "tight,zero-sign=lax");
    EXPECT_EQ(zeros.at(0, part), ValueSet::range(-1, 0)) << part;
    EXPECT_EQ(set_under("(0, 0)", "tight").at(0, part), ValueSet::of(0, kF32));
    const ArraySet nans = set_under("(nan, nan)", "tight,nan=canonical");
    EXPECT_EQ(nans.at(0, part).only_nan(), 0x7fc00000U) << part;
    const ArraySet free = set_under("(nan, nan)", "tight,nan=free");
    EXPECT_TRUE(free.at(0, part).contains(0x3f800000, kF32)) << part;
  }
}

/// The set of an operation on two complex numbers, under the profile.
ArraySet of_two(const std::string& operation, const std::string& numbers,
                const char* profile) {
  const Module module =
      verified_module("HloModule m\nENTRY main {\n" + numbers +
                      "\n  ROOT r = c64[] " + operation + "(x, y)\n}");
  return std::get<ArraySet>(
      expect_module(module, {}, nullptr, parse_profile(profile)).at(0));
}

// 1e-40 is 000116c2 in f32, 2e-40 is 00022d85, and their sum 00034447.
TEST(Expect, FlushesTheSumsOfEachPartOfComplexNumbers) {
  constexpr ElementType kF32 = ElementType::kF32;
  const std::string numbers =
      "x = c64[] constant((1e-40, -1e-40))\ny = c64[] constant((2e-40, 1))";
  const auto has = [&](const char* profile, int part, uint64_t code) {
    return of_two("add", numbers, profile).at(0, part).contains(code, kF32);
  };
  EXPECT_FALSE(has("tight", 0, 0));
  EXPECT_TRUE(has("tight,subnormals=ftz", 0, 0x00034447));
  EXPECT_TRUE(has("tight,subnormals=ftz", 0, 0));
  EXPECT_FALSE(has("tight,subnormals=ftz", 0, 0x80000000));
  EXPECT_FALSE(has("tight,subnormals=ftz", 0, 0x00034446));
  EXPECT_FALSE(has("tight,subnormals=ftz", 0, 0x00022d85));
  EXPECT_TRUE(has("tight,subnormals=daz", 0, 0x000116c2));
  EXPECT_TRUE(has("tight,subnormals=daz", 0, 0x00022d85));
  EXPECT_TRUE(has("tight,subnormals=daz", 0, 0));
  EXPECT_FALSE(has("tight,subnormals=daz", 0, 0x00034446));
  EXPECT_TRUE(has("tight,subnormals=daz+ftz", 1, 0x3f800000));
  EXPECT_FALSE(has("tight,subnormals=daz+ftz", 1, 0));
}

// One part of an operand may be flushed and the other not: equal are
// (1e-40, 1) and (0, 1), but not (1e-40, 1e-40) and (1, 0).
TEST(Expect, FlushesTheOperandsOfAComparisonOfComplexNumbers) {
  const auto may_be = [](const std::string& y, uint64_t answer) {
    const Module module = verified_module(
        "HloModule m\nENTRY main {\n  x = c64[] constant((1e-40, 1))\n"
        "  y = c64[] constant(" +
        y +
        ")\n"
        "  ROOT r = pred[] compare(x, y), direction=EQ\n}");
    return std::get<ArraySet>(
               expect_module(module, {}, nullptr,
                             parse_profile("tight,subnormals=daz"))
                   .at(0))
        .at(0)
        .contains(answer, ElementType::kPred);
  };
  EXPECT_TRUE(may_be("(0, 1)", 1));
  EXPECT_TRUE(may_be("(0, 1)", 0));
  EXPECT_TRUE(may_be("(2e-40, 1)", 1));
  EXPECT_FALSE(may_be("(1, 1)", 1));
  EXPECT_FALSE(may_be("(0, 1e-40)", 1));
}

// 1e-40 times 0.5 is 5e-41, 00008b61, and may be off by units of the product;
// 1e-40 times 2^40 is normal, and 0 where the operand was taken for 0.
TEST(Expect, FlushesProductsOfComplexNumbers) {
  constexpr ElementType kF32 = ElementType::kF32;
  const std::string half =
      "x = c64[] constant((1e-40, 1e-40))\ny = c64[] constant((0.5, 0))";
  const auto has = [&](const std::string& numbers, const char* profile,
                       uint64_t code) {
    return of_two("multiply", numbers, profile).at(0).contains(code, kF32);
  };
  EXPECT_FALSE(has(half, "tight", 0));
  EXPECT_TRUE(has(half, "tight,subnormals=ftz", 0));
  EXPECT_TRUE(has(half, "tight,subnormals=ftz", 0x00008b61));
  EXPECT_FALSE(has(half, "tight,subnormals=ftz", 0x00000100));
  EXPECT_FALSE(has(half, "tight,subnormals=ftz", 0x3f800000));
  const std::string below =
      "x = c64[] constant((-1e-40, 0))\ny = c64[] constant((0.5, 0))";
  EXPECT_TRUE(has(below, "tight,subnormals=ftz", 0x80000000));
  EXPECT_FALSE(has(below, "tight,subnormals=ftz", 0));
  const std::string large =
      "x = c64[] constant((1e-40, 0))\ny = c64[] constant((1099511627776, 0))";
  EXPECT_FALSE(has(large, "tight,subnormals=ftz", 0));
  EXPECT_TRUE(has(large, "tight,subnormals=daz", 0));
  EXPECT_TRUE(has(large, "tight,subnormals=daz", 0x110b6100));
  EXPECT_FALSE(has(large, "tight,subnormals=daz", 0x00800000));
}

}  // namespace
}  // namespace hlo::conformance
