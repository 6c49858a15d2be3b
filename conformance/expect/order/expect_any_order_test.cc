#include "conformance/expect/order/expect_any_order.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/expect/expect_module.h"
#include "conformance/expect/order/any_order.h"
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
