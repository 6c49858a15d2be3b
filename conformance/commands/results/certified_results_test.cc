#include "conformance/commands/results/certified_results.h"

#include <gtest/gtest.h>

#include "conformance/commands/testing/commands.h"
#include "conformance/report/exit_code.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// The exit code for these results of a program that gives s32[<=4](1) {2}.
int judged(const std::string& actual) {
  const Module module = verified_module(
      "ENTRY main { x = s32[4] constant({2, 3, 4, 5})\n"
      "  n = s32[] constant(1)\n"
      "  ROOT r = s32[<=4] set-dimension-size(x, n), dimensions={0} }");
  const std::vector<SetTree> results = certified_results(module, {{}}, {});
  const std::vector<Literal> values = {text::parse_literal_with_shape(actual)};
  int code = 0;
  capture([&] {
    return code = judge_values("b:", array_leaves_of(results), values);
  });
  return code;
}

TEST(CertifiedResults, AreJudgedAtTheSizesOfRunTime) {
  EXPECT_EQ(judged("s32[4] {2, 7, 7, 7}"), kConforms);
  EXPECT_EQ(judged("s32[4] {3, 3, 4, 5}"), kDiffers);
  EXPECT_EQ(judged("s32[<=4](1) {2}"), kConforms);
  EXPECT_EQ(judged("s32[<=4](1) {3}"), kDiffers);
  EXPECT_EQ(judged("s32[<=4](2) {2, 3}"), kDiffers);
  EXPECT_EQ(judged("s32[<=4](0) {}"), kDiffers);
}

// exp(1) may be either neighbour, and says how many elements there are.
TEST(CertifiedResults, AreOpenWhereTheirSizesAre) {
  const Module module = verified_module(R"(HloModule m
one { x = s32[4] parameter(0)
  n = s32[] constant(1)
  ROOT r = s32[<=4] set-dimension-size(x, n), dimensions={0} }
three { x = s32[4] parameter(0)
  n = s32[] constant(3)
  ROOT r = s32[<=4] set-dimension-size(x, n), dimensions={0} }
ENTRY main { x = s32[4] constant({2, 3, 4, 5})
  a = f32[] constant(1)
  b = f32[] exponential(a)
  c = f32[] constant(2.7182817)
  p = pred[] compare(b, c), direction=GT
  ROOT r = s32[<=4] conditional(p, x, x), true_computation=one,
    false_computation=three })");
  const std::vector<SetTree> results = certified_results(module, {{}}, {});
  EXPECT_TRUE(is_all_open(array_leaves_of(results)));
}

}  // namespace
}  // namespace hlo::conformance
