#include "conformance/expect/order/expect_any_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "conformance/expect/expect_module.h"
#include "conformance/expect/order/any_order.h"
#include "conformance/expect/order/selection.h"
#include "conformance/judge/judge.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

Literal value(const std::string& text) {
  return text::parse_literal_with_shape(text);
}

Verdict verdict_of(const std::string& text,
                   const std::vector<Literal>& observed) {
  const Module module = verified_module("HloModule m\n" + text);
  return judge(expect_module(module, {}, &observed), observed).verdict;
}

std::string subtract_all(int terms) {
  std::string list = "1";
  for (int i = 2; i <= terms; ++i) list += ", " + std::to_string(i);
  const std::string shape = "s32[" + std::to_string(terms) + "]";
  return R"(
f {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] subtract(b, a)
}
ENTRY main {
  x = )" +
         shape + " constant({" + list + R"(})
  zero = s32[] constant(0)
  ROOT r = s32[] reduce(x, zero), dimensions={0}, to_apply=f
})";
}

TEST(ExpectAnyOrder, TakesRowsForEqualByTheirNumbers) {
  const auto equal = [](const char* a, const char* b) {
    const Row x = {value("s8[] 1").scalar(), value(a).scalar()};
    const Row y = {value("s8[] 1").scalar(), value(b).scalar()};
    return are_equal(x, y, RowEquality::kNumbers);
  };
  EXPECT_TRUE(equal("f32[] 0", "f32[] -0"));
  EXPECT_TRUE(equal("f32[] nan", "f32[] -nan"));
  EXPECT_TRUE(equal("f32[] 2", "f32[] 2"));
  EXPECT_FALSE(equal("f32[] 0", "f32[] 1"));
  EXPECT_FALSE(equal("f32[] 1", "f32[] 0"));
  EXPECT_FALSE(equal("f32[] nan", "f32[] 1"));
  EXPECT_FALSE(equal("s32[] 0", "s32[] 1"));
}

// b - a over 0, 1, 2, 3: all trees over all permutations, written out in
// Python, give the even numbers from -6 to 6.
TEST(ExpectAnyOrder, TriesEveryTree) {
  for (int sum = -8; sum <= 8; ++sum) {
    const bool reached = sum % 2 == 0 && -6 <= sum && sum <= 6;
    EXPECT_EQ(
        verdict_of(subtract_all(3), {value("s32[] " + std::to_string(sum))}),
        reached ? Verdict::kConforms : Verdict::kDiffers)
        << sum;
  }
}

TEST(ExpectAnyOrder, DoesNotJudgeWhatIsTooLong) {
  EXPECT_EQ(verdict_of(subtract_all(20), {value("s32[] 8")}),
            Verdict::kUnjudged);
}

// 1, 2, ..., 7 and the 0 are as many rows as are tried; taken one after the
// other they are 7 - 6 + 5 - 4 + 3 - 2 + 1.
TEST(ExpectAnyOrder, TriesEightRowsAndNoNinth) {
  EXPECT_EQ(verdict_of(subtract_all(7), {value("s32[] 4")}),
            Verdict::kConforms);
  EXPECT_EQ(verdict_of(subtract_all(7), {value("s32[] 29")}),
            Verdict::kDiffers);
  EXPECT_EQ(verdict_of(subtract_all(8), {value("s32[] 37")}),
            Verdict::kUnjudged);
}

/// Updates 1 - a, 2 - a, ..., each of the element a that begins as 0.
std::string scatter_differences(int count) {
  std::string updates = "1";
  for (int i = 2; i <= count; ++i) updates += i % 2 == 0 ? ", 2" : ", 1";
  return fmt::format(R"(
f {{
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] subtract(b, a)
}}
ENTRY main {{
  x = s32[1] constant({{0}})
  zero = s32[] constant(0)
  i = s32[{0},1] broadcast(zero), dimensions={{}}
  u = s32[{0}] constant({{{1}}})
  ROOT r = s32[1] scatter(x, i, u), update_window_dims={{}},
      inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}},
      index_vector_dim=1, to_apply=f
}})",
                     count, updates);
}

// Six ones and six twos, half of which are subtracted: from -3 to 3, ...
// whatever the order is, the sum of all is 18 less twice that of those that
// are.
TEST(ExpectAnyOrder, TriesTwelveUpdatesAndNoThirteenth) {
  for (int sum = -8; sum <= 8; ++sum) {
    const bool reached = sum % 2 == 0 && -6 <= sum && sum <= 6;
    EXPECT_EQ(verdict_of(scatter_differences(12),
                         {value("s32[1] {" + std::to_string(sum) + "}")}),
              reached ? Verdict::kConforms : Verdict::kDiffers)
        << sum;
  }
  EXPECT_EQ(verdict_of(scatter_differences(13), {value("s32[1] {1}")}),
            Verdict::kUnjudged);
}

constexpr auto kArgmax = R"(
argmax {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  p = pred[] compare(a, b), direction=GE
  v = f32[] select(p, a, b)
  k = s32[] select(p, i, j)
  ROOT r = (f32[], s32[]) tuple(v, k)
}
ENTRY main {
  x = f32[4] constant({1, 5, 3, 5})
  y = s32[4] constant({0, 1, 2, 3})
  i = f32[] constant(-inf)
  j = s32[] constant(-1)
  ROOT r = (f32[], s32[]) reduce(x, y, i, j), dimensions={0}, to_apply=argmax
})";

// The two fives may meet in either order.
TEST(ExpectAnyOrder, TakesRowsAsAWhole) {
  EXPECT_EQ(verdict_of(kArgmax, {value("f32[] 5"), value("s32[] 1")}),
            Verdict::kConforms);
  EXPECT_EQ(verdict_of(kArgmax, {value("f32[] 5"), value("s32[] 3")}),
            Verdict::kConforms);
  EXPECT_EQ(verdict_of(kArgmax, {value("f32[] 5"), value("s32[] 2")}),
            Verdict::kDiffers);
  EXPECT_EQ(verdict_of(kArgmax, {value("f32[] 3"), value("s32[] 2")}),
            Verdict::kDiffers);
}

/// The region that JAX writes for argmax: the first of the greatest, or of
/// NaNs.
constexpr auto kFirstGreatest = R"(
f {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  greater = pred[] compare(a, b), direction=GT
  nan = pred[] compare(a, a), direction=NE
  p = pred[] or(greater, nan)
  equal = pred[] compare(a, b), direction=EQ
  sooner = pred[] compare(i, j), direction=LT
  both = pred[] and(equal, sooner)
  q = pred[] or(p, both)
  v = f32[] select(p, a, b)
  k = s32[] select(q, i, j)
  ROOT r = (f32[], s32[]) tuple(v, k)
}
)";
constexpr auto kAnyGreatest = R"(
f {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  p = pred[] compare(a, b), direction=GE
  v = f32[] select(p, a, b)
  k = s32[] select(p, i, j)
  ROOT r = (f32[], s32[]) tuple(v, k)
}
)";
constexpr auto kLastLeastCode = R"(
f {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  less = pred[] compare(a, b), direction=LT, type=TOTALORDER
  equal = pred[] compare(a, b), direction=EQ, type=TOTALORDER
  later = pred[] compare(i, j), direction=GT
  both = pred[] and(equal, later)
  p = pred[] or(less, both)
  v = f32[] select(p, a, b)
  k = s32[] select(p, i, j)
  ROOT r = (f32[], s32[]) tuple(v, k)
}
)";
constexpr auto kMaximumAndItsFirst = R"(
f {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  v = f32[] maximum(a, b)
  greater = pred[] compare(a, b), direction=GT
  less = pred[] compare(a, b), direction=LT
  first = s32[] minimum(i, j)
  later = s32[] select(less, j, first)
  k = s32[] select(greater, i, later)
  ROOT r = (f32[], s32[]) tuple(v, k)
}
)";

std::string list(const std::vector<std::string>& values) {
  return fmt::format("{}", fmt::join(values, ", "));
}

/// The region over those values and indices.
std::string reduced(const std::string& region,
                    const std::vector<std::string>& values,
                    const std::vector<std::string>& indices) {
  const size_t n = values.size();
  return fmt::format(
      "{0}\nENTRY main {{\n  x = f32[{1}] constant({{{2}}})\n"
      "  y = s32[{1}] constant({{{3}}})\n  i = f32[] constant({4})\n"
      "  j = s32[] constant({5})\n  ROOT r = (f32[], s32[]) reduce(x, y, i, "
      "j), "
      "dimensions={{0}}, to_apply=f\n}}",
      region, n - 1, list({values.begin() + 1, values.end()}),
      list({indices.begin() + 1, indices.end()}), values[0], indices[0]);
}

Literal f32(const std::string& text) { return value("f32[] " + text); }

Literal s32(const std::string& text) { return value("s32[] " + text); }

// All trees over few rows give the same sets.
TEST(ExpectAnyOrder, KnowsSelectionsAsAllTreesDo) {
  const std::vector<std::vector<std::string>> lists = {
      {"nan", "-inf", "-1", "-0.0", "0", "0", "2", "2"}, {"-1", "-0.0", "0"}};
  std::mt19937_64 random(3);
  for (const std::string region :
       {kFirstGreatest, kAnyGreatest, kLastLeastCode, kMaximumAndItsFirst}) {
    for (int n = 0; n < 12; ++n) {
      const std::vector<std::string>& numbers = lists[random() % 2];
      std::vector<std::string> values;
      std::vector<std::string> indices;
      Rows rows;
      for (int k = 0; k < 6; ++k) {
        values.push_back(numbers[random() % numbers.size()]);
        indices.push_back(std::to_string(random() % 4));
        rows.push_back({f32(values.back()).at(int64_t{0}),
                        s32(indices.back()).at(int64_t{0})});
      }
      const std::string text = reduced(region, values, indices);
      const Module module = verified_module("HloModule m\n" + text);
      const RowRegion joins(*module.entry->root->get<Computation*>("to_apply"));
      const Rows all = *AnyOrder(joins).joined(rows);
      for (const std::string& x : numbers) {
        for (const std::string i : {"0", "1", "2", "3", "4"}) {
          const Row seen = {f32(x).at(int64_t{0}), s32(i).at(int64_t{0})};
          EXPECT_EQ(verdict_of(text, {f32(x), s32(i)}),
                    std::ranges::count(all, seen) > 0 ? Verdict::kConforms
                                                      : Verdict::kDiffers)
              << text << x << ' ' << i;
        }
      }
    }
  }
}

// 3, 0, 1, 2, 3, 0, ... from index 0.
std::string long_rows(const std::string& region) {
  std::vector<std::string> values = {"-inf"};
  std::vector<std::string> indices = {"-1"};
  for (int k = 0; k < 4000; ++k) {
    values.push_back(std::to_string((k + 3) % 4));
    indices.push_back(std::to_string(k));
  }
  return reduced(region, values, indices);
}

TEST(ExpectAnyOrder, JudgesSelectionsOfAnyNumberOfRows) {
  const std::string first = long_rows(kFirstGreatest);
  EXPECT_EQ(verdict_of(first, {f32("3"), s32("0")}), Verdict::kConforms);
  EXPECT_EQ(verdict_of(first, {f32("3"), s32("4")}), Verdict::kDiffers);
  EXPECT_EQ(verdict_of(first, {f32("3"), s32("-1")}), Verdict::kDiffers);
  EXPECT_EQ(verdict_of(first, {f32("2"), s32("0")}), Verdict::kDiffers);
  const std::string any = long_rows(kAnyGreatest);
  EXPECT_EQ(verdict_of(any, {f32("3"), s32("3996")}), Verdict::kConforms);
  EXPECT_EQ(verdict_of(any, {f32("3"), s32("3995")}), Verdict::kDiffers);
  EXPECT_EQ(verdict_of(any, {f32("-inf"), s32("-1")}), Verdict::kDiffers);
}

// The reference's result is known to be the only one without another to see.
TEST(ExpectAnyOrder, DeterminesSelections) {
  const auto sets_of = [](const std::string& region) {
    return expect_module(verified_module("HloModule m\n" + long_rows(region)),
                         {});
  };
  EXPECT_TRUE(is_single(sets_of(kFirstGreatest)[0]));
  EXPECT_TRUE(is_single(sets_of(kFirstGreatest)[1]));
  EXPECT_TRUE(std::holds_alternative<UnspecifiedSet>(sets_of(kAnyGreatest)[1]));
}

// It returns one of two rows, but by no order: of (1, 1) and (0, 0) the later.
TEST(ExpectAnyOrder, DoesNotTakeEveryChoiceForAnOrder) {
  constexpr auto kChoice = R"(
f {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  greater = pred[] compare(a, b), direction=GT
  later = pred[] compare(i, j), direction=GT
  p = pred[] xor(greater, later)
  v = f32[] select(p, a, b)
  k = s32[] select(p, i, j)
  ROOT r = (f32[], s32[]) tuple(v, k)
}
)";
  EXPECT_EQ(verdict_of(long_rows(kChoice), {f32("3"), s32("4")}),
            Verdict::kUnjudged);
}

TEST(ExpectAnyOrder, DoesNotTakeMixedRowsForOneOfThem) {
  constexpr auto kMixed = R"(
f {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  p = pred[] compare(a, b), direction=GT
  v = f32[] select(p, a, b)
  k = s32[] select(p, j, i)
  ROOT r = (f32[], s32[]) tuple(v, k)
}
)";
  EXPECT_EQ(verdict_of(long_rows(kMixed), {f32("3"), s32("4")}),
            Verdict::kUnjudged);
}

// It would be an order of small integers.
TEST(ExpectAnyOrder, DoesNotTakeArithmeticForComparisons) {
  constexpr auto kSum = R"(
f {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  s = f32[] add(a, b)
  p = pred[] compare(s, b), direction=GT
  v = f32[] select(p, a, b)
  k = s32[] select(p, i, j)
  ROOT r = (f32[], s32[]) tuple(v, k)
}
)";
  EXPECT_EQ(verdict_of(long_rows(kSum), {f32("2"), s32("-7")}),
            Verdict::kUnjudged);
}

// Values in one component may equal those in the other: samples do not show
// that.
TEST(ExpectAnyOrder, DoesNotCompareDifferentComponents) {
  std::string rows;
  for (int k = 0; k < 20; ++k) rows += (k > 0 ? ", " : "") + std::to_string(k);
  const std::string text = R"(
f {
  a = s32[] parameter(0)
  i = s32[] parameter(1)
  b = s32[] parameter(2)
  j = s32[] parameter(3)
  greater = pred[] compare(a, b), direction=GT
  crossed = pred[] compare(a, j), direction=GT
  both = pred[] and(greater, crossed)
  p = pred[] or(greater, both)
  v = s32[] select(p, a, b)
  k = s32[] select(p, i, j)
  ROOT r = (s32[], s32[]) tuple(v, k)
}
ENTRY main {
  x = s32[20] constant({)" +
                           rows + R"(})
  i = s32[] constant(-1)
  ROOT r = (s32[], s32[]) reduce(x, x, i, i), dimensions={0}, to_apply=f
})";
  EXPECT_EQ(verdict_of(text, {s32("18"), s32("18")}), Verdict::kUnjudged);
}

constexpr auto kAssign = R"(
second {
  a = s32[] parameter(0)
  ROOT b = s32[] parameter(1)
}
ENTRY main {
  x = s32[3] constant({1, 2, 3})
  i = s32[3,1] constant({{1}, {1}, {0}})
  u = s32[3] constant({10, 20, 30})
  ROOT r = s32[3] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second
})";

TEST(ExpectAnyOrder, LetsEitherOfTwoUpdatesBeTheLast) {
  EXPECT_EQ(verdict_of(kAssign, {value("s32[3] {30, 20, 3}")}),
            Verdict::kConforms);
  EXPECT_EQ(verdict_of(kAssign, {value("s32[3] {30, 10, 3}")}),
            Verdict::kConforms);
  EXPECT_EQ(verdict_of(kAssign, {value("s32[3] {30, 2, 3}")}),
            Verdict::kDiffers);
  EXPECT_EQ(verdict_of(kAssign, {value("s32[3] {10, 20, 3}")}),
            Verdict::kDiffers);
}

}  // namespace
}  // namespace hlo::conformance
