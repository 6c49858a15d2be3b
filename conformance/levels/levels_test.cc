#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/levels/level.h"
#include "conformance/levels/profile_text.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

TEST(Levels, AreInOrderOfStrictness) {
  std::vector<std::string> names;
  for (const Level& level : all_levels()) names.push_back(level.name);
  const std::vector<std::string> expected = {
      "exact",          "cr",     "faithful", "tight", "opencl-full",
      "xla-exhaustive", "relaxed"};
  EXPECT_EQ(names, expected);
}

/// Functions that the reference has and HLO has no opcodes for.
constexpr auto kWithoutOpcode = std::to_array<std::string_view>(
    {"atan", "bessel_i1e", "digamma", "erf_inv", "erfc", "exp2", "hypot",
     "lgamma", "log10", "log2", "polygamma", "zeta"});

bool has_row(const Level& level, std::string_view function) {
  return std::ranges::any_of(level.functions, [&](const FunctionBounds& row) {
    return row.operation == function;
  });
}

TEST(Levels, NameOperationsAndFunctionsThatExist) {
  for (const Level& level : all_levels()) {
    for (const FunctionBounds& row : level.functions) {
      EXPECT_TRUE(find_op(row.operation) != nullptr ||
                  std::ranges::count(kWithoutOpcode, row.operation) == 1)
          << level.name << ": " << row.operation;
    }
  }
}

TEST(Levels, WithNumbersHaveARowForEveryFunctionWithoutOpcode) {
  for (const char* name :
       {"tight", "opencl-full", "xla-exhaustive", "relaxed"}) {
    for (const std::string_view function : kWithoutOpcode) {
      EXPECT_TRUE(has_row(find_level(name), function)) << name << function;
    }
  }
}

// A new function is not to fall under a default unnoticed.
TEST(Levels, TightHasARowForEveryRealFunction) {
  const Level& tight = find_level("tight");
  for (const Op* op : all_ops()) {
    if (op->accuracy.kind != Accuracy::Kind::kRounded) continue;
    EXPECT_TRUE(has_row(tight, op->name)) << op->name;
  }
}

TEST(Levels, PreferTheMostSpecialRow) {
  const Level& xla = find_level("xla-exhaustive");
  using enum ElementType;
  EXPECT_EQ(bounds(xla, "sinh", kF8E5M2, true)[0].steps, 4);
  EXPECT_EQ(bounds(xla, "sinh", kF8E4M3FN, true)[0].steps, 3);
  EXPECT_EQ(bounds(xla, "sinh", kBF16, true)[0].eps, 2);
  EXPECT_EQ(bounds(xla, "add", kF32, false)[0], kCorrectlyRounded);
  EXPECT_TRUE(bounds(find_level("tight"), "sine", kF16, true)[0].faithful);
}

TEST(Levels, ChooseTheBoundThatHoldsForTheOperand) {
  const auto row =
      bounds(find_level("relaxed"), "sine", ElementType::kF32, true);
  EXPECT_EQ(bound_at(row, 1.0).absolute, 0x1p-11);
  EXPECT_TRUE(bound_at(row, 100.0).unlimited);
}

TEST(Profile, ReadsAxes) {
  const Profile profile =
      parse_profile("opencl-full,subnormals=daz+ftz,accumulation=f32-rn");
  EXPECT_EQ(profile.level, "opencl-full");
  EXPECT_TRUE(has_daz(profile) && has_ftz(profile));
  EXPECT_EQ(profile.accumulation, Accumulation::kF32Rn);
  EXPECT_EQ(profile.zero_sign, ZeroSign::kStrict);
}

TEST(Profile, TakesTheAxesOfTheLevel) {
  EXPECT_EQ(parse_profile("relaxed").nan, NanRule::kFree);
  EXPECT_EQ(parse_profile("relaxed,nan=any").nan, NanRule::kAny);
}

TEST(Profile, PrintsWhatItReads) {
  for (const std::string text :
       {"tight", "relaxed,nan=any", "cr,zero-sign=lax,accumulation=fp8-fast"}) {
    const Profile profile = parse_profile(text);
    EXPECT_EQ(parse_profile(print(profile)), profile) << print(profile);
  }
}

TEST(Profile, RefusesWhatThereIsNot) {
  EXPECT_THROW(parse_profile("loose"), Error);
  EXPECT_THROW(parse_profile("tight,nan"), Error);
  EXPECT_THROW(parse_profile("tight,nan=odd"), Error);
  EXPECT_THROW(parse_profile("tight,sign=lax"), Error);
}

}  // namespace
}  // namespace hlo::conformance
