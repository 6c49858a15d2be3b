#include <gtest/gtest.h>

#include <string>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/clone.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

/// f0 adds; each other of the computations is `line` about the one before, i.
/// The entry applies the last to {1, 2, 3}.
std::string nested(int count, const std::string& line) {
  std::string text =
      "HloModule m\nf0 { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
      " ROOT r = f32[] add(a, b) }\n";
  for (int i = 1; i < count; ++i) {
    text += "f" + std::to_string(i) +
            " { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = " +
            line + "f" + std::to_string(i - 1) + " }\n";
  }
  return text +
         "ENTRY main { x = f32[3] constant({1, 2, 3})\n z = f32[] constant(0)\n"
         " ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=f" +
         std::to_string(count - 1) + " }\n";
}

constexpr const char* kMap = "f32[] map(a, b), dimensions={}, to_apply=";
constexpr const char* kCall = "f32[] call(a, b), to_apply=";

TEST(Nesting, OfRegionsHasALimit) {
  for (const PlanSet& plans : {PlanSet::all(), PlanSet::none()}) {
    const Module module = verified_module(nested(64, kMap));
    EXPECT_EQ(evaluate(module, {}, {.plans = plans}).scalar().bits[0],
              0x40c00000);
  }
  for (const int count : {65, 5000}) {
    try {
      verified_module(nested(count, kMap));
      ADD_FAILURE() << count;
    } catch (const Error& error) {
      EXPECT_EQ(error.rule(), "evaluate.depth");
      EXPECT_NE(error.message().find("regions are nested 65 deep"),
                std::string::npos)
          << error.message();
      EXPECT_GT(error.location().line, 0);
    }
  }
}

TEST(Nesting, OfCallsInRegionsHasNone) {
  const Module module = verified_module(nested(20'000, kCall));
  EXPECT_EQ(recognize(callee_of(*module.entry->root)), Reducer::kAdd);
  EXPECT_EQ(evaluate(module, {}).scalar().bits[0], 0x40c00000);
  EXPECT_TRUE(equal(clone(module), module));
  const Module alone = extract(*module.entry->root);
  EXPECT_EQ(alone.computations.size(), 20'001U);
  EXPECT_EQ(alone.computations.front()->name, "f0");
}

TEST(Nesting, OfComputationsIsFollowedCalleesFirst) {
  const Module module = verified_module(
      "HloModule m\nf { ROOT a = f32[] parameter(0) }\n"
      "g { a = f32[] parameter(0)\n b = f32[] call(a), to_apply=f\n"
      " ROOT r = f32[] call(b), to_apply=f }\n"
      "h { a = f32[] parameter(0)\n b = f32[] call(a), to_apply=f\n"
      " ROOT r = f32[] call(b), to_apply=g }\n"
      "ENTRY main { a = f32[] parameter(0)\n"
      " ROOT r = f32[] call(a), to_apply=h }\n");
  std::string names;
  for (const Computation* called : with_called(called_by(*module.entry))) {
    names += called->name;
  }
  EXPECT_EQ(names, "fgh");
}

}  // namespace
}  // namespace hlo
