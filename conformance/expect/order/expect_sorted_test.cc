#include "conformance/expect/order/expect_sorted.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "conformance/expect/expect_module.h"
#include "conformance/judge/judge.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

// Rows (key, payload), sorted by the key: keys 1 2 2 1 1, -0 among zeros, ...
constexpr std::string_view kByKey = R"(HloModule m
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), direction=LT
}
ENTRY main {
  keys = f32[5] parameter(0)
  payload = s32[5] constant({10, 20, 21, 11, 12})
  ROOT r = (f32[5], s32[5]) sort(keys, payload), dimensions={0}, to_apply=less
})";

Verdict verdict_of(const std::string& keys, const std::string& sorted,
                   const std::string& payload) {
  const Module module = verified_module(kByKey);
  const std::vector<Literal> observed = {
      text::parse_literal_with_shape("f32[5] " + sorted),
      text::parse_literal_with_shape("s32[5] " + payload)};
  const auto sets = expect_module(
      module, {text::parse_literal_with_shape("f32[5] " + keys)}, &observed);
  return judge(sets, observed).verdict;
}

constexpr auto kKeys = "{1, 2, 2, 1, 1}";
constexpr auto kSorted = "{1, 1, 1, 2, 2}";

TEST(ExpectSort, AdmitsTheStableOrder) {
  EXPECT_EQ(verdict_of(kKeys, kSorted, "{10, 11, 12, 20, 21}"),
            Verdict::kConforms);
}

TEST(ExpectSort, AdmitsEveryOrderOfEqualKeys) {
  EXPECT_EQ(verdict_of(kKeys, kSorted, "{12, 10, 11, 21, 20}"),
            Verdict::kConforms);
}

TEST(ExpectSort, RefusesAPayloadThatLeftItsKey) {
  EXPECT_EQ(verdict_of(kKeys, kSorted, "{10, 11, 20, 12, 21}"),
            Verdict::kDiffers);
}

TEST(ExpectSort, RefusesARowThatComesTwice) {
  EXPECT_EQ(verdict_of(kKeys, kSorted, "{10, 10, 12, 20, 21}"),
            Verdict::kDiffers);
  EXPECT_EQ(verdict_of(kKeys, "{1, 1, 1, 1, 2}", "{10, 11, 12, 20, 21}"),
            Verdict::kDiffers);
}

TEST(ExpectSort, RefusesKeysOutOfOrder) {
  EXPECT_EQ(verdict_of(kKeys, "{1, 1, 2, 1, 2}", "{10, 11, 20, 12, 21}"),
            Verdict::kDiffers);
}

TEST(ExpectSort, KeepsTheSignsOfEqualZeros) {
  EXPECT_EQ(verdict_of("{0, -0, 1, 2, 3}", "{-0, 0, 1, 2, 3}",
                       "{20, 10, 21, 11, 12}"),
            Verdict::kConforms);
  EXPECT_EQ(
      verdict_of("{0, -0, 1, 2, 3}", "{0, 0, 1, 2, 3}", "{10, 20, 21, 11, 12}"),
      Verdict::kDiffers);
}

// With LT on floats, NaN is equal to every number but numbers are not equal
// to each other: no order is asked for, the rows are.
TEST(ExpectSort, AsksNoOrderOfAnInconsistentComparator) {
  EXPECT_EQ(verdict_of("{3, nan, 1, 2, 0}", "{nan, 0, 3, 1, 2}",
                       "{20, 12, 10, 21, 11}"),
            Verdict::kConforms);
  EXPECT_EQ(verdict_of("{3, nan, 1, 2, 0}", "{nan, 0, 3, 1, 1}",
                       "{20, 12, 10, 21, 21}"),
            Verdict::kDiffers);
}

/// The verdict of a stable sort of one array.
Verdict verdict_of_stable(const std::string& direction,
                          const std::string& operand,
                          const std::string& sorted) {
  const Module module = verified_module(
      "HloModule m\nbefore {\n  a = f32[] parameter(0)\n  b = f32[] "
      "parameter(1)\n  ROOT r = pred[] compare(a, b), direction=" +
      direction +
      "\n}\nENTRY main {\n  x = f32[4] parameter(0)\n  ROOT r = f32[4] "
      "sort(x), "
      "dimensions={0}, is_stable=true, to_apply=before\n}");
  const std::vector<Literal> observed = {
      text::parse_literal_with_shape("f32[4] " + sorted)};
  const auto sets = expect_module(
      module, {text::parse_literal_with_shape("f32[4] " + operand)}, &observed);
  return judge(sets, observed).verdict;
}

TEST(ExpectSort, AsksAnOrderOfAStableSortWhereThereIsOne) {
  EXPECT_EQ(verdict_of_stable("LT", "{0, 2, -0, 1}", "{0, -0, 1, 2}"),
            Verdict::kConforms);
  EXPECT_EQ(verdict_of_stable("LT", "{0, 2, -0, 1}", "{-0, 0, 1, 2}"),
            Verdict::kDiffers);
  EXPECT_EQ(verdict_of_stable("LT", "{3, nan, 1, 2}", "{1, nan, 2, 3}"),
            Verdict::kConforms);
  EXPECT_EQ(verdict_of_stable("NE", "{3, 4, 1, 2}", "{1, 4, 2, 3}"),
            Verdict::kConforms);
  EXPECT_EQ(verdict_of_stable("NE", "{3, 4, 1, 2}", "{1, 4, 2, 2}"),
            Verdict::kDiffers);
}

// With a + 1 < b 10.9 is tied to 11.5, and to 10, which comes before 11.5: of
// four runs the third does not lie on one side of the second.
TEST(ExpectSort, ComparesARunWithTheOneBeforeIt) {
  const Module module = verified_module(R"(HloModule m
before {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  one = f32[] constant(1)
  c = f32[] add(a, one)
  ROOT r = pred[] compare(c, b), direction=LT
}
ENTRY main {
  x = f32[5] parameter(0)
  ROOT r = f32[5] sort(x), dimensions={0}, to_apply=before
})");
  const auto verdict = [&](const std::string& keys, const std::string& sorted) {
    const std::vector<Literal> observed = {
        text::parse_literal_with_shape("f32[5] " + sorted)};
    const auto sets = expect_module(
        module, {text::parse_literal_with_shape("f32[5] " + keys)}, &observed);
    return judge(sets, observed).verdict;
  };
  EXPECT_EQ(verdict("{0, 10, 11.5, 10.9, 20}", "{20, 0, 10, 11.5, 10.9}"),
            Verdict::kConforms);
  EXPECT_EQ(verdict("{0, 10, 11.9, 11.1, 20}", "{20, 0, 10, 11.9, 11.1}"),
            Verdict::kDiffers);
}

// Less is what is less in both: (0, 9) is tied to (0, 0) and to (1, 1), which
// are not tied to each other, so that the first run lacks a side.
TEST(ExpectSort, ComparesTheFirstRunWithTheOneBehindIt) {
  const Module module = verified_module(R"(HloModule m
before {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  first = pred[] compare(a, b), direction=LT
  second = pred[] compare(c, d), direction=LT
  ROOT r = pred[] and(first, second)
}
ENTRY main {
  x = s32[4] constant({0, 0, 0, 1})
  y = s32[4] parameter(0)
  ROOT r = (s32[4], s32[4]) sort(x, y), dimensions={0}, to_apply=before
})");
  const auto verdict = [&](const std::string& y) {
    const std::vector<Literal> observed = {
        text::parse_literal_with_shape("s32[4] {1, 0, 0, 0}"),
        text::parse_literal_with_shape("s32[4] {1, " + y + "}")};
    const Literal given =
        text::parse_literal_with_shape("s32[4] {" + y + ", 1}");
    return judge(expect_module(module, {given}, &observed), observed).verdict;
  };
  EXPECT_EQ(verdict("0, 9, 0"), Verdict::kConforms);
  EXPECT_EQ(verdict("0, 0, 0"), Verdict::kDiffers);
}

TEST(ExpectSort, IsSingleWhereEveryOrderOfEqualKeysIsTheSame) {
  const Module module = verified_module(kByKey);
  const auto of = [&](const std::string& keys) {
    return expect_module(module,
                         {text::parse_literal_with_shape("f32[5] " + keys)});
  };
  EXPECT_TRUE(std::holds_alternative<ArraySet>(of("{5, 4, 3, 2, 1}")[0]));
  EXPECT_TRUE(std::holds_alternative<ArraySet>(of(kKeys)[0]));
  EXPECT_TRUE(std::holds_alternative<UnspecifiedSet>(of(kKeys)[1]));
  EXPECT_TRUE(
      std::holds_alternative<UnspecifiedSet>(of("{0, 1, 2, -0, 3}")[0]));
}

}  // namespace
}  // namespace hlo::conformance
