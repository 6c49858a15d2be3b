#include "conformance/translation/xla_calls.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "conformance/translation/judge_translation.h"
#include "interpreter/rules/op.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// A program that hands three of five elements on to "TopK", with that last
/// line of the comparison and that shape of the result.
Module calling(const std::string& comparison,
               const std::string& shape = "(f32[2,3], s32[2,3])",
               const std::string& target = "TopK") {
  return verified_module(
      "HloModule m\nfirst { a = f32[] parameter(0)\n"
      "  b = f32[] parameter(1)\n  i = s32[] parameter(2)\n"
      "  j = s32[] parameter(3)\n  ROOT r = pred[] " +
      comparison + " }\nENTRY e { x = f32[2,5] parameter(0)\n  ROOT r = " +
      shape + " custom-call(x), custom_call_target=\"" + target +
      "\", called_computations={first}, metadata={op_name=\"f/top_k\"} }\n");
}

std::string operation(Module module) {
  resolve_xla_calls(module);
  return std::string(module.entry->root->op->name);
}

constexpr const char* kGreater = "compare(a, b), direction=GT";

TEST(XlaCalls, KnowsWhatAFormSays) {
  Module module = calling(kGreater);
  resolve_xla_calls(module);
  const Instruction& root = *module.entry->root;
  EXPECT_EQ(root.op->name, "topk");
  EXPECT_EQ(root.get<int64_t>("k"), 3);
  EXPECT_TRUE(root.get<bool>("largest"));
  EXPECT_NE(root.find("metadata"), nullptr);
  Module smallest = calling("compare(a, b), direction=LT");
  resolve_xla_calls(smallest);
  EXPECT_FALSE(smallest.entry->root->get<bool>("largest"));
}

TEST(XlaCalls, LeavesAloneWhatSaysTooLittle) {
  for (const char* comparison :
       {"compare(a, b), direction=GE", "constant(true)"}) {
    EXPECT_EQ(operation(calling(comparison)), "custom-call") << comparison;
  }
  for (const char* shape :
       {"(f32[2,6], s32[2,6])", "(f32[2,3], s64[2,3])", "(f32[], s32[])",
        "(f32[2,3], s32[2,3], s32[2,3])", "f32[2,3]"}) {
    EXPECT_EQ(operation(calling(kGreater, shape)), "custom-call") << shape;
  }
  EXPECT_EQ(operation(calling(kGreater, "(f32[2,3], s32[2,3])", "TopJ")),
            "custom-call");
}

// The first of equals comes first.
TEST(XlaCalls, GivesTheValuesInTheirOrder) {
  const Module sorted = verified_module(
      "HloModule m\nENTRY e { x = f32[2,5] parameter(0)\n"
      "  v = f32[2,3] constant({{9, 7, 7}, {4, 3, 2}})\n"
      "  i = s32[2,3] constant({{4, 0, 3}, {0, 1, 2}})\n"
      "  ROOT r = (f32[2,3], s32[2,3]) tuple(v, i) }\n");
  Module after = calling(kGreater);
  resolve_xla_calls(after);
  Literal x(Shape::array(ElementType::kF32, {2, 5}));
  const float values[] = {7, 5, 6, 7, 9, 4, 3, 2, 1, 0};
  for (int64_t k = 0; k < 10; ++k) {
    x.set(k, {ElementType::kF32, {std::bit_cast<uint32_t>(values[k]), 0}});
  }
  EXPECT_EQ(judge_translation(sorted, after, {x}, {}).verdict,
            Translation::Verdict::kAgrees);
}

}  // namespace
}  // namespace hlo::conformance
