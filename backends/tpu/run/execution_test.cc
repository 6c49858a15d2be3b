#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/run/grid_run.h"
#include "backends/tpu/testing/run_tpu.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"

namespace hlo::tpu {
namespace {

/// The rule by which a program without parameters ends that may do little work.
std::string ended_by(const std::string& text) {
  const Module module = verified_module(text);
  Evaluator evaluator(kReference, {.max_work = 1'000'000});
  Scratch scratch(int64_t{1} << 20);
  Machine machine{
      .memory = Hbm(512), .scratch = scratch, .evaluator = evaluator};
  try {
    execute(machine, LayoutPlan(module, generations().front()), *module.entry,
            {});
  } catch (const Error& error) {
    return error.rule();
  }
  return "";
}

// Neither computation does more than to hand its argument on.
TEST(TpuExecution, EndsALoopThatOnlyHandsValuesOn) {
  EXPECT_EQ(ended_by(R"(
      condition { p = (pred[]) parameter(0)
                  ROOT q = pred[] get-tuple-element(p), index=0 }
      body { ROOT p = (pred[]) parameter(0) }
      ENTRY main { t = pred[] constant(true)  s = (pred[]) tuple(t)
                   ROOT w = (pred[]) while(s), condition=condition, body=body }
    )"),
            "evaluate.work");
}

/// The running sums of the rows 0 to 4 of an array in that layout.
std::string running_sums(const std::string& layout,
                         const std::string& direction) {
  return R"(
    body { x = f32[3] parameter(0)  c = f32[3] parameter(1)
           s = f32[3] add(x, c)  ROOT r = (f32[3], f32[3]) tuple(s, s) }
    ENTRY main {
      x = f32[5,3])" +
         layout + R"( iota(), iota_dimension=0
      zero = f32[] constant(0)
      c = f32[3] broadcast(zero), dimensions={}
      ROOT r = (f32[5,3], f32[3]) scan(x, c), dimensions={0}, num_carries=1,)" +
         direction + R"( to_apply=body
    })";
}

TEST(TpuExecution, ScansSlicesOfTilesForwardAndBackward) {
  for (const char* layout : {"", "{0,1:T(2,2)}", "{1,0:T(4,128)(2,1)}"}) {
    EXPECT_EQ(
        run_program(running_sums(layout, "")),
        (std::vector<float>{0, 0, 0, 1, 1, 1, 3, 3, 3, 6, 6, 6, 10, 10, 10}))
        << layout;
    EXPECT_EQ(
        run_program(running_sums(layout, " is_reverse=true,")),
        (std::vector<float>{10, 10, 10, 10, 10, 10, 9, 9, 9, 7, 7, 7, 4, 4, 4}))
        << layout;
    EXPECT_EQ(run_program(running_sums(layout, ""), "tpu:", 1),
              (std::vector<float>{10, 10, 10}))
        << layout;
  }
}

TEST(TpuExecution, ScansSlicesOfTwoDimensions) {
  EXPECT_EQ(run_program(R"(
    body { x = f32[2,3] parameter(0)  c = f32[2,3] parameter(1)
           s = f32[2,3] add(x, c)  ROOT r = (f32[2,3], f32[2,3]) tuple(s, s) }
    ENTRY main {
      x = f32[2,2,3] constant({{{1,2,3},{4,5,6}},{{10,20,30},{40,50,60}}})
      zero = f32[] constant(0)
      c = f32[2,3] broadcast(zero), dimensions={}
      ROOT r = (f32[2,2,3], f32[2,3]) scan(x, c), dimensions={0}, num_carries=1,
        to_apply=body
    })"),
            (std::vector<float>{1, 2, 3, 4, 5, 6, 11, 22, 33, 44, 55, 66}));
}

/// What the conditional gives: 10 of the first computation, 20, 30 of the last.
float chosen(const std::string& selector, const std::string& names) {
  return run_program(R"(
    ten { x = f32[] parameter(0)  ROOT r = f32[] constant(10) }
    twenty { x = f32[] parameter(0)  ROOT r = f32[] constant(20) }
    thirty { x = f32[] parameter(0)  ROOT r = f32[] constant(30) }
    ENTRY main { x = f32[] constant(0)  s = )" +
                     selector + "\n ROOT r = f32[] conditional(s, " + names +
                     "}")
      .at(0);
}

// spec/ops/conditional.md: true is the first, and what names none the last.
TEST(TpuExecution, ChoosesComputations) {
  const std::string pair =
      "x, x), true_computation=ten, false_computation=twenty ";
  EXPECT_EQ(chosen("pred[] constant(true)", pair), 10);
  EXPECT_EQ(chosen("pred[] constant(false)", pair), 20);
  const std::string three =
      "x, x, x), branch_computations={ten, twenty, thirty} ";
  EXPECT_EQ(chosen("s32[] constant(0)", three), 10);
  EXPECT_EQ(chosen("s32[] constant(1)", three), 20);
  EXPECT_EQ(chosen("s32[] constant(3)", three), 30);
  EXPECT_EQ(chosen("s32[] constant(-1)", three), 30);
}

// Five rows of three in tiles of 8 by 128 and 2 by 2: sums of rows, the largest
// of columns, and both again after a transposition.
TEST(TpuExecution, GivesTheSameForEachPoison) {
  const std::string program = R"(
    add { a = f32[] parameter(0)  b = f32[] parameter(1)
          ROOT r = f32[] add(a, b) }
    most { a = f32[] parameter(0)  b = f32[] parameter(1)
           ROOT r = f32[] maximum(a, b) }
    ENTRY main {
      i = f32[5,3]{0,1:T(2,2)} iota(), iota_dimension=0
      x = f32[5,3] negate(i)
      y = f32[3,5] transpose(x), dimensions={1,0}
      zero = f32[] constant(0)
      low = f32[] constant(-inf)
      m = f32[5] reduce(y, low), dimensions={0}, to_apply=most
      s = f32[5] reduce(x, zero), dimensions={1}, to_apply=add
      ROOT r = f32[5] subtract(m, s)
    })";
  for (const char* seed : {"0", "1", "2", "18446744073709551615"}) {
    EXPECT_EQ(run_program(program, std::string("tpu:?poison=") + seed),
              (std::vector<float>{0, 2, 4, 6, 8}))
        << seed;
  }
}

TEST(TpuExecution, KeepsARootThatALaterInstructionReads) {
  EXPECT_EQ(run_program(R"(
    ENTRY main {
      x = f32[2] constant({1, 2})
      ROOT r = f32[2] add(x, x)
      unread = f32[2] negate(r)
    })"),
            (std::vector<float>{2, 4}));
}

// Each of the two sums would copy x, whose layout the program asks for, and
// the loop its state at the beginning and behind each of three turns.
TEST(TpuExecution, CopiesArraysAsOftenAsThePlanSays) {
  const Module module = verified_module(R"(
    condition { p = (s32[], f32[4]{0:T(2)}) parameter(0)
                n = s32[] get-tuple-element(p), index=0
                three = s32[] constant(3)
                ROOT q = pred[] compare(n, three), direction=LT }
    body { p = (s32[], f32[4]) parameter(0)
           n = s32[] get-tuple-element(p), index=0
           x = f32[4] get-tuple-element(p), index=1
           one = s32[] constant(1)
           m = s32[] add(n, one)
           y = f32[4]{0:T(2)} add(x, x)
           ROOT t = (s32[], f32[4]{0:T(2)}) tuple(m, y) }
    ENTRY main {
      x = f32[2,2]{0,1:T(2,2)} constant({{1, 2}, {3, 4}})
      a = f32[2,2]{1,0:T(2,128)} add(x, x)
      b = f32[2,2]{1,0:T(2,128)} multiply(a, x)
      r = f32[4] reshape(b)
      zero = s32[] constant(0)
      t = (s32[], f32[4]) tuple(zero, r)
      w = (s32[], f32[4]) while(t), condition=condition, body=body
      ROOT v = f32[4] get-tuple-element(w), index=1
    })");
  Evaluator evaluator(kReference);
  Scratch scratch(int64_t{1} << 20);
  Machine machine{
      .memory = Hbm(512), .scratch = scratch, .evaluator = evaluator};
  const LayoutPlan plan(module, *machine.generation);
  const Value result = execute(machine, plan, *module.entry, {});
  EXPECT_EQ(result.array.shape.layout,
            plan.leaves_of(*module.entry->root)[0].layout);
  const Literal values = read_elements(machine, result.array);
  EXPECT_EQ(std::vector<float>(values.data<float>().begin(),
                               values.data<float>().end()),
            (std::vector<float>{2 * 8, 8 * 8, 18 * 8, 32 * 8}));
  // x once; the state of four questions, and what three turns give; in each
  // turn x where y shall lie.
  EXPECT_EQ(machine.counters.relayouts, 1 + 4 + 3 + 3);
}

// The state is the condition's answer, and the body its own argument.
TEST(TpuExecution, EndsALoopWithoutAnInstruction) {
  EXPECT_EQ(ended_by(R"(
      condition { ROOT p = pred[] parameter(0) }
      body { ROOT p = pred[] parameter(0) }
      ENTRY main { t = pred[] constant(true)
                   ROOT w = pred[] while(t), condition=condition, body=body }
    )"),
            "evaluate.work");
}

}  // namespace
}  // namespace hlo::tpu
