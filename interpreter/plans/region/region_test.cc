#include "interpreter/plans/region/region.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
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
  std::string entry;  // with a parameter x = s32[6,4]
};

/// Programs whose regions loop.
const Case kLooping[] = {
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
      test.entry + "\n}\n");
  verify(module);
  return module;
}

/// Numbers that are small, so that the loops end, times a factor.
Literal argument(int64_t factor = 1) {
  Literal x(Shape::array(ElementType::kS32, {6, 4}));
  for (int64_t i = 0; i < x.element_count(); ++i) {
    const auto number = static_cast<uint64_t>(i * 7 % 13 * factor);
    x.set(i, {ElementType::kS32, {number, 0}});
  }
  return x;
}

/// The rule that the program breaks, or "none".
std::string rule_of(const Module& module, EvaluatorOptions options,
                    int64_t factor = 1) {
  try {
    evaluate(module, {argument(factor)}, options);
  } catch (const Error& error) {
    return error.rule();
  }
  return "none";
}

int replicas_of(const Case& test) { return test.what == "all-reduce" ? 2 : 1; }

/// How much work the program takes.
int64_t work_of(const Module& module, EvaluatorOptions options,
                int64_t factor = 1) {
  options.budget = std::make_shared<Budget>(Budget::kEndless);
  evaluate(module, {argument(factor)}, options);
  return options.budget->spent();
}

TEST(Region, LoopsInRegionsCountAgainstTheBudget) {
  constexpr int64_t kFactor = 100;
  for (const Case& test : kLooping) {
    const Module module = program(test, replicas_of(test));
    for (const PlanSet& plans : {PlanSet::all(), PlanSet::none()}) {
      const int64_t work = work_of(module, {.plans = plans});
      EXPECT_GT(work_of(module, {.plans = plans}, kFactor), kFactor / 5 * work)
          << test.what;
      const EvaluatorOptions options{.max_work = 2 * work, .plans = plans};
      EXPECT_EQ(rule_of(module, options), "none") << test.what;
      EXPECT_EQ(rule_of(module, options, kFactor), "evaluate.work")
          << test.what;
    }
  }
}

TEST(Region, WorkDependsOnNoThread) {
  for (const Case& test : kLooping) {
    const Module module = program(test, replicas_of(test));
    const int64_t work = work_of(module, {});
    for (const int threads : {1, 2, 4}) {
      EXPECT_EQ(work_of(module, {.threads = threads}), work) << test.what;
      EXPECT_EQ(rule_of(module, {.threads = threads, .max_work = work}), "none")
          << test.what;
      EXPECT_EQ(rule_of(module, {.threads = threads, .max_work = work - 1}),
                "evaluate.work")
          << test.what;
    }
  }
}

/// A scan over so many numbers, or rows of three.
Module scan_over(int64_t size, bool rows) {
  const std::string n = std::to_string(size);
  return program(
      {"scan",
       rows ? "y = s32[" + n + ",3] iota(), iota_dimension=0\n" +
                  "c = s32[3] constant({0, 0, 0})\nROOT r = (s32[" + n +
                  ",3], s32[3]) scan(y, c), dimensions={0}, num_carries=1, "
                  "to_apply=step_row"
            : "y = s32[" + n + "] iota(), iota_dimension=0\n" +
                  "c = s32[] constant(0)\nROOT r = (s32[" + n +
                  "], s32[]) scan(y, c), dimensions={0}, num_carries=1, "
                  "to_apply=step"});
}

TEST(Region, EachTurnOfAScanCounts) {
  for (const bool rows : {false, true}) {
    for (const PlanSet& plans : {PlanSet::all(), PlanSet::none()}) {
      const int64_t thousand = work_of(scan_over(1000, rows), {.plans = plans});
      const int64_t more = work_of(scan_over(3000, rows), {.plans = plans});
      EXPECT_GT(more, 2 * thousand) << rows;
    }
    EXPECT_EQ(rule_of(scan_over(800'000, rows), {.max_work = 1'000'000}),
              "evaluate.work");
    EXPECT_EQ(rule_of(scan_over(800'000, rows), {}), "none");
  }
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
