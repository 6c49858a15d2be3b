#include "interpreter/rules/clone.h"

#include <gtest/gtest.h>

#include "interpreter/evaluate.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

TEST(Extract, AppliesOneInstructionWithItsRegions) {
  const Module module = verified_module(
      "HloModule m\n\nf {\n  a = f32[] parameter(0)\n"
      "  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n\n"
      "ENTRY main {\n  x = f32[4] parameter(0)\n  z = f32[] constant(0)\n"
      "  y = f32[4] negate(x)\n"
      "  ROOT r = f32[] reduce(y, z), dimensions={0}, to_apply=f\n}\n");
  Module one = extract(*module.entry->root);
  verify(one);
  EXPECT_EQ(one.computations.size(), 2U);
  EXPECT_EQ(one.entry->parameters.size(), 2U);
  EXPECT_EQ(one.entry->root->name, "r");
  EXPECT_TRUE(equal(module, clone(module)));
}

TEST(Extract, HandsOverTheSizesOfDynamicOperands) {
  const Module module = verified_module(R"(HloModule m

ENTRY main {
  x = s32[2,3] constant({{1, 2, 3}, {4, 5, 6}})
  n = s32[] constant(2)
  d = s32[2,<=3] set-dimension-size(x, n), dimensions={1}
  e = s32[<=2,<=3] set-dimension-size(d, n), dimensions={0}
  r = s32[<=2,<=3] reverse(e), dimensions={1}
  c = s32[<=2,<=6] concatenate(r, e), dimensions={1}
  p = s32[2,3] multiply(e, e)
  q = s32[3,2] transpose(p), dimensions={1,0}
  v = s32[3,4] concatenate(q, q), dimensions={1}
  t = s32[] get-dimension-size(v), dimensions={1}
  ROOT s = s32[] get-dimension-size(c), dimensions={1}
}
)");
  EvaluatorOptions options;
  options.observer = [](const Instruction& instruction, Operands operands,
                        const Literal& result) {
    Module one = extract_sized(instruction, operands);
    verify(one);
    const Literal alone =
        evaluate(one, sized_arguments(instruction, operands, Sizes::kAll));
    EXPECT_TRUE(identical(alone, result)) << instruction.name;
  };
  evaluate(module, {}, options);
}

}  // namespace
}  // namespace hlo
