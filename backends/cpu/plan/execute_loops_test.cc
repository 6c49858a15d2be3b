#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/cpu/plan/execute.h"
#include "backends/cpu/plan/make_plan.h"
#include "backends/cpu/plan/plan_text.h"
#include "interpreter/rules/op.h"
#include "interpreter/verify/verify.h"

// Loops of integers, whose states are worked out by hand.

namespace hlo::cpu {
namespace {

using Numbers = std::vector<int64_t>;

/// The leaves of the result; whatever no kernel computes fails.
std::vector<Numbers> run(const std::string& text) {
  const Module module = verified_module(text);
  const auto function = [](const Instruction& instruction, Operands) -> Array {
    throw Unsupported(std::string(instruction.op->name));
  };
  std::vector<Numbers> leaves;
  for (const Array& leaf : execute(*make_plan(*module.entry), {}, function)) {
    leaves.push_back(integers(leaf));
  }
  return leaves;
}

struct LoopFact {
  const char* what;
  std::string
      type;  // of a and b, parts of the state beside the number of trips
  std::string a, b;  // before the loop
  std::string body;  // from i, next = i + 1, a and b, of which the last line is
  std::string next_a, next_b;
  Numbers last_a, last_b;
  int first = 0;  // trips are up to 3
};

std::string text_of(const LoopFact& fact) {
  const std::string state = "(s32[], " + fact.type + ", " + fact.type + ")";
  return "less { s = " + state + R"( parameter(0)
  i = s32[] get-tuple-element(s), index=0
  three = s32[] constant(3)
  ROOT r = pred[] compare(i, three), direction=LT }
body { s = )" +
         state + R"( parameter(0)
  i = s32[] get-tuple-element(s), index=0
  a = )" +
         fact.type + " get-tuple-element(s), index=1\n  b = " + fact.type +
         R"( get-tuple-element(s), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
)" + fact.body +
         "\n  ROOT r = " + state + " tuple(next, " + fact.next_a + ", " +
         fact.next_b + ") }\nENTRY e { i = s32[] constant(" +
         std::to_string(fact.first) + ")\n  a = " + fact.type + " constant(" +
         fact.a + ")\n  b = " + fact.type + " constant(" + fact.b +
         ")\n  s = " + state + " tuple(i, a, b)\n  ROOT w = " + state +
         " while(s), condition=less, body=body }\n";
}

const LoopFact kLoops[] = {
    {"parts change places", "s32[]", "1", "2", "", "b", "a", {2}, {1}},
    {"a part is read after its successor is known",
     "s32[]",
     "0",
     "0",
     "x = s32[] add(a, one)\n y = s32[] add(b, a)",
     "x",
     "y",
     {3},
     {3}},
    {"one value becomes two parts",
     "s32[]",
     "1",
     "1",
     "x = s32[] add(a, b)",
     "x",
     "x",
     {8},
     {8}},
    {"a part becomes the other and is changed",
     "s32[]",
     "1",
     "5",
     "x = s32[] add(a, a)",
     "x",
     "a",
     {8},
     {4}},
    {"a constant is one part, and one stays",
     "s32[]",
     "1",
     "2",
     "x = s32[] constant(7)",
     "x",
     "b",
     {7},
     {2}},
    {"both parts are read for both",
     "s32[2]",
     "{1,2}",
     "{10,20}",
     "x = s32[2] add(a, b)\n y = s32[2] subtract(a, b)",
     "x",
     "y",
     {22, 44},
     {-18, -36}},
    {"a part in another order",
     "s32[3]",
     "{1,2,3}",
     "{4,5,6}",
     "x = s32[3] reverse(a), dimensions={0}",
     "x",
     "b",
     {3, 2, 1},
     {4, 5, 6}},
    {"an index beyond the end is moved inside",
     "s32[4]",
     "{0,0,0,0}",
     "{0,0,0,0}",
     "two = s32[] constant(2)\n k = s32[] add(i, two)\n"
     " u = s32[1] reshape(next)\n x = s32[4] dynamic-update-slice(a, u, k)",
     "x",
     "b",
     {0, 0, 1, 3},
     {0, 0, 0, 0}},
    {"an index before the begin is moved inside",
     "s32[3]",
     "{1,2,3}",
     "{0,0,0}",
     "k = s32[] negate(next)\n u = s32[1] reshape(next)\n"
     " x = s32[3] dynamic-update-slice(a, u, k)",
     "x",
     "b",
     {3, 2, 3},
     {0, 0, 0}},
    {"elements are moved inside of a part",
     "s32[4]",
     "{1,2,3,4}",
     "{0,0,0,0}",
     "u = s32[1] dynamic-slice(a, next), dynamic_slice_sizes={1}\n"
     " x = s32[4] dynamic-update-slice(a, u, i)",
     "x",
     "b",
     {2, 3, 4, 4},
     {0, 0, 0, 0}},
    {"a part is kept before it is changed",
     "s32[2]",
     "{1,2}",
     "{0,0}",
     "nine = s32[] constant(9)\n u = s32[1] reshape(nine)\n"
     " x = s32[2] dynamic-update-slice(a, u, i)",
     "x",
     "a",
     {9, 9},
     {9, 9}},
    {"a part is kept as it was a trip ago",
     "s32[3]",
     "{1,2,3}",
     "{0,0,0}",
     "nine = s32[] constant(9)\n u = s32[1] reshape(nine)\n"
     " x = s32[3] dynamic-update-slice(a, u, i)",
     "x",
     "a",
     {9, 9, 9},
     {9, 9, 3}},
    {"a part is its own update",
     "s32[2]",
     "{1,2}",
     "{3,4}",
     "x = s32[2] dynamic-update-slice(a, a, i)\n"
     " y = s32[2] dynamic-update-slice(b, a, i)",
     "x",
     "y",
     {1, 2},
     {1, 2}},
    {"a box of rows and columns",
     "s32[3,3]",
     "{{1,2,3},{4,5,6},{7,8,9}}",
     "{{0,0,0},{0,0,0},{0,0,0}}",
     "u = s32[2,2] dynamic-slice(a, one, i), dynamic_slice_sizes={2,2}\n"
     " y = s32[3,3] dynamic-update-slice(b, u, i, one)",
     "a",
     "y",
     {1, 2, 3, 4, 5, 6, 7, 8, 9},
     {0, 4, 5, 0, 5, 6, 0, 8, 9}},
    {"an update as large as its operand",
     "s32[2]",
     "{1,2}",
     "{3,4}",
     "u = s32[2] add(b, b)\n x = s32[2] dynamic-update-slice(a, u, i)",
     "x",
     "x",
     {24, 32},
     {24, 32}},
    {"a part is the begin of a larger value",
     "s32[2]",
     "{1,2}",
     "{3,4}",
     "w = s32[10,2] broadcast(b), dimensions={1}\n u = s32[10,2] add(w, w)\n"
     " v = s32[1,2] slice(u), slice={[0:1], [0:2]}\n x = s32[2] reshape(v)",
     "x",
     "b",
     {6, 8},
     {3, 4}},
    {"no trip is made",
     "s32[2]",
     "{1,2}",
     "{3,4}",
     "x = s32[2] add(a, b)",
     "x",
     "x",
     {1, 2},
     {3, 4},
     3},
};

TEST(ExecuteLoops, LeavesTheStateOfTheLastTrip) {
  for (const LoopFact& fact : kLoops) {
    const std::vector<Numbers> expected = {{3}, fact.last_a, fact.last_b};
    EXPECT_EQ(run(text_of(fact)), expected) << fact.what;
  }
}

/// Loops in loops, each of whose bodies runs the inner one so many times.
std::string nested(int levels, int times, int first) {
  std::string text = R"(less { i = s32[] parameter(0)
  three = s32[] constant(3)
  ROOT r = pred[] compare(i, three), direction=LT }
b0 { x0 = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT r = s32[] add(x0, one) }
)";
  for (int level = 1; level <= levels; ++level) {
    text += "b" + std::to_string(level) + " { x0 = s32[] parameter(0)\n";
    for (int i = 1; i <= times; ++i) {
      text += std::string(i == times ? "ROOT " : "") + "x" + std::to_string(i) +
              " = s32[] while(x" + std::to_string(i - 1) +
              "), condition=less, body=b" + std::to_string(level - 1) + "\n";
    }
    text += "}\n";
  }
  return text + "ENTRY e { i = s32[] constant(" + std::to_string(first) +
         ")\n ROOT r = s32[] while(i), condition=less, body=b" +
         std::to_string(levels) + " }\n";
}

TEST(ExecuteLoops, RunsLoopsInLoops) {
  for (const int levels : {1, 2, 28}) {
    EXPECT_EQ(run(nested(levels, 1, 0)), std::vector<Numbers>{{3}}) << levels;
  }
}

TEST(ExecuteLoops, PlansEachComputationOnce) {
  // 2^28 loops, of which none runs.
  EXPECT_EQ(run(nested(28, 2, 3)), std::vector<Numbers>{{3}});
  const Module module = verified_module(nested(28, 2, 3));
  EXPECT_LT(plan_text(*make_plan(*module.entry)).size(), 50'000U);
}

TEST(ExecuteLoops, LeavesDeepLoopsToFunctions) {
  EXPECT_THROW(run(nested(40, 1, 0)), Unsupported);
}

TEST(ExecuteLoops, CopyNothingThatIsWrittenOverTheState) {
  // Counter and array; the row that is read lies in the block of 64 bytes.
  const Module module = verified_module(
      text_of({"",
               "s32[4]",
               "{1,2,3,4}",
               "{0,0,0,0}",
               "u = s32[1] dynamic-slice(a, next), dynamic_slice_sizes={1}\n"
               " x = s32[4] dynamic-update-slice(a, u, next)",
               "x",
               "b",
               {},
               {}}));
  const StepPlan plan = *make_plan(*module.entry);
  const StepPlan& body = *plan.steps.at(0).loop.body;
  const std::vector<Operand>& results = body.graph.results;
  EXPECT_EQ(body.over[results[0].value], 0);
  EXPECT_EQ(body.over[results[1].value], 1);
  EXPECT_EQ(results[2].value, 2U);
  EXPECT_EQ(body.block_bytes, 64U);
}

}  // namespace
}  // namespace hlo::cpu
