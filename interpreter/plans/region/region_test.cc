#include "interpreter/plans/region/region.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

/// Regions: `slow_max` and `slow_greater` count down to 1 in a loop, of which
/// each turn takes six instructions.
constexpr std::string_view kRegions = R"(
goes_on { n = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT r = pred[] compare(n, one), direction=GT }
less { n = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT r = s32[] subtract(n, one) }
slow { n = s32[] parameter(0)
  ROOT r = s32[] while(n), condition=goes_on, body=less }
slow_max { a = s32[] parameter(0)
  b = s32[] parameter(1)
  m = s32[] maximum(a, b)
  one = s32[] call(m), to_apply=slow
  p = s32[] multiply(m, one)
  ROOT r = s32[] xor(p, a) }
slow_greater { a = s32[] parameter(0)
  b = s32[] parameter(1)
  one = s32[] call(a), to_apply=slow
  p = s32[] multiply(a, one)
  ROOT r = pred[] compare(p, b), direction=GT }
add { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b) }
step { x = s32[] parameter(0)
  c = s32[] parameter(1)
  s = s32[] add(x, c)
  ROOT r = (s32[], s32[]) tuple(s, s) }
step_row { x = s32[3] parameter(0)
  c = s32[3] parameter(1)
  s = s32[3] add(x, c)
  ROOT r = (s32[3], s32[3]) tuple(s, s) }
slow_step { x = s32[] parameter(0)
  c = s32[] parameter(1)
  s = s32[] call(x), to_apply=slow
  ROOT r = (s32[], s32[]) tuple(s, c) }
)";

struct Case {
  std::string_view what;
  std::string_view entry;  // with a parameter x = s32[6,4]
};

/// Programs whose regions loop.
constexpr Case kLooping[] = {
    {"map", "ROOT r = s32[6,4] map(x, x), dimensions={0,1}, to_apply=slow_max"},
    {"reduce",
     "i = s32[] constant(2)\n"
     "ROOT r = s32[6] reduce(x, i), dimensions={1}, to_apply=slow_max"},
    {"reduce-window",
     "i = s32[] constant(2)\n"
     "ROOT r = s32[5,4] reduce-window(x, i), window={size=2x1}, "
     "to_apply=slow_max"},
    {"sort",
     "ROOT r = s32[6,4] sort(x), dimensions={1}, is_stable=true, "
     "to_apply=slow_greater"},
    {"select-and-scatter",
     "s = s32[3,2] constant({{1,2},{3,4},{5,6}})\n"
     "i = s32[] constant(0)\n"
     "ROOT r = s32[6,4] select-and-scatter(x, s, i), window={size=2x2 "
     "stride=2x2}, select=slow_greater, scatter=add"},
    {"scatter",
     "i = s32[2,1] constant({{1},{3}})\n"
     "u = s32[2,4] constant({{9,8,7,6},{5,4,3,2}})\n"
     "ROOT r = s32[6,4] scatter(x, i, u), update_window_dims={1}, "
     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
     "index_vector_dim=1, to_apply=slow_max"},
    {"scan",
     "y = s32[24] reshape(x)\n"
     "c = s32[] constant(0)\n"
     "ROOT r = (s32[24], s32[]) scan(y, c), dimensions={0}, num_carries=1, "
     "to_apply=slow_step"},
    {"all-reduce",
     "ROOT r = s32[6,4] all-reduce(x), replica_groups={{0,1}}, "
     "to_apply=slow_max"},
};

Module program(const Case& test, int replicas = 1) {
  Module module = text::parse(
      "HloModule m, replica_count=" + std::to_string(replicas) + "\n" +
      std::string(kRegions) + "ENTRY main {\nx = s32[6,4] parameter(0)\n" +
      std::string(test.entry) + "\n}\n");
  verify(module);
  return module;
}

/// Small numbers, so that the loops end.
Literal argument() {
  Literal x(Shape::array(ElementType::kS32, {6, 4}));
  for (int64_t i = 0; i < x.element_count(); ++i) {
    x.set(i, {ElementType::kS32, {static_cast<uint64_t>(i * 7 % 13), 0}});
  }
  return x;
}

/// The rule that the program breaks, or "none".
std::string rule_of(const Module& module, EvaluatorOptions options) {
  try {
    evaluate(module, {argument()}, options);
  } catch (const Error& error) {
    return error.rule();
  }
  return "none";
}

int replicas_of(const Case& test) { return test.what == "all-reduce" ? 2 : 1; }

TEST(Region, LoopsInRegionsCountAgainstTheBudget) {
  for (const Case& test : kLooping) {
    const Module module = program(test, replicas_of(test));
    for (const PlanSet& plans : {PlanSet::all(), PlanSet::none()}) {
      EXPECT_EQ(rule_of(module, {.max_steps = 100, .plans = plans}),
                "evaluate.steps")
          << test.what;
      EXPECT_EQ(rule_of(module, {.plans = plans}), "none") << test.what;
    }
  }
}

/// How many steps the program takes on one device.
int64_t steps_of(const Module& module, EvaluatorOptions options) {
  Evaluator evaluator(kReference, std::move(options));
  evaluator.run(*module.entry, {argument()});
  return evaluator.steps();
}

TEST(Region, StepsDependOnNoThread) {
  for (const Case& test : kLooping) {
    if (replicas_of(test) > 1) continue;
    const Module module = program(test);
    const int64_t steps = steps_of(module, {});
    for (const int threads : {1, 2, 4}) {
      EXPECT_EQ(steps_of(module, {.threads = threads}), steps) << test.what;
      EXPECT_EQ(rule_of(module, {.threads = threads, .max_steps = steps}),
                "none")
          << test.what;
      EXPECT_EQ(rule_of(module, {.threads = threads, .max_steps = steps - 1}),
                "evaluate.steps")
          << test.what;
    }
  }
}

TEST(Region, StepsAreTheSameWhereRegionsAreNotCompiled) {
  PlanSet plans = PlanSet::all();
  plans.erase(PlanFamily::kRegion);
  for (const Case& test : kLooping) {
    if (replicas_of(test) > 1) continue;
    const Module module = program(test);
    EXPECT_EQ(steps_of(module, {.plans = plans}), steps_of(module, {}))
        << test.what;
  }
}

TEST(Region, AppliedToElementsIsNoStepWithoutLoops) {
  const Module module =
      program({"map",
               "ROOT r = s32[6,4] map(x, x), dimensions={0,1}, "
               "to_apply=add"});
  EXPECT_EQ(steps_of(module, {}), 2);
  EXPECT_EQ(steps_of(module, {.plans = PlanSet::none()}), 2);
}

TEST(Region, EachTurnOfAScanCounts) {
  const Module scalars =
      program({"scan",
               "y = s32[24] reshape(x)\nc = s32[] constant(0)\n"
               "ROOT r = (s32[24], s32[]) scan(y, c), dimensions={0}, "
               "num_carries=1, to_apply=step"});
  const Module rows =
      program({"scan",
               "y = s32[8,3] reshape(x)\n"
               "c = s32[3] constant({0, 0, 0})\n"
               "ROOT r = (s32[8,3], s32[3]) scan(y, c), "
               "dimensions={0}, num_carries=1, to_apply=step_row"});
  for (const PlanSet& plans : {PlanSet::all(), PlanSet::none()}) {
    EXPECT_EQ(steps_of(scalars, {.plans = plans}), 4 + 24 * 4);
    EXPECT_EQ(steps_of(rows, {.plans = plans}), 4 + 8 * 4);
  }
}

TEST(Region, LongScansEndWithTheBudget) {
  const Case test = {
      "scan",
      "c = s32[] constant(0)\ny = s32[800000] iota(), "
      "iota_dimension=0\nROOT r = (s32[800000], s32[]) scan(y, c), "
      "dimensions={0}, num_carries=1, to_apply=step"};
  EXPECT_EQ(rule_of(program(test), {.max_steps = 100}), "evaluate.steps");
  EXPECT_EQ(rule_of(program(test), {}), "none");
}

TEST(Region, ObserversSeeScansButNoRegionsOfElements) {
  const Module module =
      program({"scan",
               "y = s32[6,4] map(x, x), dimensions={0,1}, to_apply=slow_max\n"
               "z = s32[24] reshape(y)\nc = s32[] constant(0)\n"
               "ROOT r = (s32[24], s32[]) scan(z, c), dimensions={0}, "
               "num_carries=1, to_apply=step"});
  for (const PlanSet& plans : {PlanSet::all(), PlanSet::none()}) {
    std::map<std::string, int> seen;
    const Observer count = [&](const Instruction& instruction, Operands,
                               const Literal&) {
      ++seen[instruction.parent->name];
    };
    EvaluatorOptions options{.observer = count, .plans = plans};
    evaluate(module, {argument()}, options);
    EXPECT_EQ(seen, (std::map<std::string, int>{{"main", 5}, {"step", 96}}));
  }
}

}  // namespace
}  // namespace hlo
