#include "conformance/translation/judge_translation.h"

#include <gtest/gtest.h>

#include <string>

#include "conformance/levels/profile_text.h"
#include "conformance/literals/inputs.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using Verdict = Translation::Verdict;

constexpr std::string_view kBefore = R"(HloModule before
ENTRY e { x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  d = f32[4] subtract(x, y), metadata={op_name="jit(f)/sub"}
  s = f32[4] exponential(d), metadata={op_name="jit(f)/exp"}
  ROOT r = f32[4] divide(s, y), metadata={op_name="jit(f)/div"} }
)";

/// That program, fused, with the lines of the fusion that are given.
std::string after(const std::string& difference, const std::string& quotient) {
  return "HloModule after\nfused { p = f32[4] parameter(0)\n"
         "  q = f32[4] parameter(1)\n  one = f32[] constant(1)\n"
         "  ones = f32[4] broadcast(one), dimensions={}\n"
         "  i = f32[4] divide(ones, q)\n"
         "  d = f32[4] " +
         difference +
         ", metadata={op_name=\"jit(f)/sub\"}\n"
         "  s = f32[4] exponential(d), metadata={op_name=\"jit(f)/exp\"}\n"
         "  ROOT m = f32[4] " +
         quotient +
         ", metadata={op_name=\"jit(f)/div\"} }\n"
         "ENTRY e { x = f32[4] parameter(0)\n  y = f32[4] parameter(1)\n"
         "  ROOT r = f32[4] fusion(x, y), kind=kLoop, calls=fused }\n";
}

struct Judged {
  Translation translation;
  std::string name;  // of the instruction that is named
  std::string mend;
  int line = 0;
};

Judged judge(std::string_view before_text, std::string_view after_text,
             const std::vector<std::string>& inputs,
             std::string_view profile = "opencl-full") {
  const Module before = verified_module(before_text);
  Module after = verified_module(after_text);
  const std::vector<Literal> values = make_inputs(before, inputs);
  const TranslationOptions options = {.profile =
                                          parse_profile(std::string(profile))};
  Judged judged{judge_translation(before, after, values, options), {}, {}};
  if (judged.translation.verdict != Verdict::kDiffers) return judged;
  if (auto found = locate_difference(before, after, values, options)) {
    judged.name = found->after->name;
    judged.line = found->after->location.line;
    judged.mend = found->mend;
  }
  return judged;
}

const std::vector<std::string> kInputs = {"4xf32=1 2 3 4", "4xf32=3 1 7 2"};

TEST(JudgeTranslation, AcceptsAProductWithTheReciprocalByItsProfile) {
  const std::string text = after("subtract(p, q)", "multiply(s, i)");
  EXPECT_EQ(judge(kBefore, text, kInputs).translation.verdict,
            Verdict::kAgrees);
}

TEST(JudgeTranslation, NamesExchangedOperandsInAFusion) {
  const Judged judged =
      judge(kBefore, after("subtract(q, p)", "multiply(s, i)"), kInputs);
  EXPECT_EQ(judged.translation.verdict, Verdict::kDiffers);
  EXPECT_EQ(judged.name, "d");
  EXPECT_EQ(judged.line, 7);
  EXPECT_EQ(judged.mend, "its operands exchanged");
}

TEST(JudgeTranslation, NamesWhatFollowsAnInstructionThatIsNew) {
  const Judged judged =
      judge(kBefore, after("subtract(p, q)", "add(s, i)"), kInputs);
  EXPECT_EQ(judged.name, "m");
  EXPECT_EQ(judged.mend, "multiply in its place");
}

TEST(JudgeTranslation, LeavesTheProgramAsItWas) {
  const std::string text = after("subtract(q, p)", "multiply(s, i)");
  const Module before = verified_module(kBefore);
  Module changed = verified_module(text);
  locate_difference(before, changed, make_inputs(before, kInputs), {});
  EXPECT_TRUE(equal(changed, verified_module(text)));
}

TEST(JudgeTranslation, FindsFlushedSubnormals) {
  constexpr std::string_view kProduct = R"(HloModule m
ENTRY e { x = f32[3] parameter(0)
  ROOT r = f32[3] multiply(x, x) }
)";
  constexpr std::string_view kFlushed = R"(HloModule m
ENTRY e { x = f32[3] parameter(0)
  m = f32[3] multiply(x, x)
  t = f32[] constant(1.17549435e-38)
  ts = f32[3] broadcast(t), dimensions={}
  low = pred[3] compare(m, ts), direction=LT
  z = f32[] constant(0)
  zs = f32[3] broadcast(z), dimensions={}
  ROOT r = f32[3] select(low, zs, m) }
)";
  const std::vector<std::string> small = {"3xf32=1e-20 2e-20 3"};
  EXPECT_EQ(judge(kProduct, kFlushed, small).translation.verdict,
            Verdict::kDiffers);
  EXPECT_EQ(judge(kProduct, kFlushed, small, "tight,subnormals=ftz")
                .translation.verdict,
            Verdict::kAgrees);
  EXPECT_EQ(judge(kProduct, kFlushed, {"3xf32=1 2 3"}).translation.verdict,
            Verdict::kAgrees);
}

TEST(JudgeTranslation, AcceptsOtherOrdersOfASumAndNamesOneBeyondItsBound) {
  constexpr std::string_view kSum = R"(HloModule m
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b) }
ENTRY e { x = f32[2,2] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(x, z), dimensions={0,1}, to_apply=add }
)";
  constexpr std::string_view kByRows = R"(HloModule m
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b) }
ENTRY e { x = f32[2,2] parameter(0)
  z = f32[] constant(0)
  rows = f32[2] reduce(x, z), dimensions={1}, to_apply=add
  ROOT r = f32[] reduce(rows, z), dimensions={0}, to_apply=add }
)";
  constexpr std::string_view kFar = R"(HloModule m
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b) }
ENTRY e { x = f32[2,2] parameter(0)
  z = f32[] constant(65536)
  s = f32[] reduce(x, z), dimensions={0,1}, to_apply=add
  ROOT r = f32[] subtract(s, z) }
)";
  const std::vector<std::string> inputs = {"2x2xf32=0.1 0.2 0.3 0.7"};
  EXPECT_EQ(judge(kSum, kByRows, inputs).translation.verdict, Verdict::kAgrees);
  EXPECT_EQ(judge(kSum, kFar, inputs).translation.verdict, Verdict::kDiffers);
}

TEST(JudgeTranslation, SaysByNameWhatTheReferenceCannotRun) {
  constexpr std::string_view kForeign = R"(HloModule m
ENTRY e { x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  ROOT r = f32[4] custom-call(x, y), custom_call_target="__fast_kernel" }
)";
  const Translation found = judge(kBefore, kForeign, kInputs).translation;
  EXPECT_EQ(found.verdict, Verdict::kUnjudged);
  EXPECT_NE(found.reason.find("__fast_kernel"), std::string::npos)
      << found.reason;
}

TEST(JudgeTranslation, RefusesProgramsOfOtherShapes) {
  constexpr std::string_view kOther = R"(HloModule m
ENTRY e { x = f32[4] parameter(0)
  y = f32[3] parameter(1)
  ROOT r = f32[4] negate(x) }
)";
  try {
    judge(kBefore, kOther, kInputs);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), "input.signature");
  }
}

TEST(JudgeTranslation, NamesWhatIsWrongInALoop) {
  constexpr std::string_view kLoop = R"(HloModule m
goes { s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(4)
  ROOT r = pred[] compare(i, n), direction=LT }
step { s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[4] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  h = f32[] constant(0.5)
  hs = f32[4] broadcast(h), dimensions={}
  y = f32[4] multiply(x, hs), metadata={op_name="f/while/body/mul"}
  z = f32[4] OPERATION, metadata={op_name="f/while/body/sub"}
  ROOT r = (s32[], f32[4]) tuple(j, z) }
ENTRY e { x = f32[4] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], f32[4]) tuple(zero, x)
  w = (s32[], f32[4]) while(t), condition=goes, body=step
  ROOT r = f32[4] get-tuple-element(w), index=1 }
)";
  const auto with = [&](const std::string& operation) {
    std::string text(kLoop);
    return text.replace(text.find("OPERATION"), 9, operation);
  };
  const Judged judged = judge(with("subtract(y, hs)"), with("subtract(hs, y)"),
                              {"4xf32=1 2 3 4"});
  EXPECT_EQ(judged.name, "z");
}

// An index of the round that comes next takes values that are right in other
// rounds.
TEST(JudgeTranslation, NamesAWrongIndexInALoop) {
  const auto with = [](const std::string& index, const std::string& name) {
    return R"(HloModule m
goes { s = (s32[], f32[3], f32[5,3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)
  ROOT r = pred[] compare(i, n), direction=LT }
step { s = (s32[], f32[3], f32[5,3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[3] get-tuple-element(s), index=1
  rows = f32[5,3] get-tuple-element(s), index=2
  one = s32[] constant(1)
  zero = s32[] constant(0)
  j = s32[] add(i, one)
  row = f32[1,3] dynamic-slice(rows, )" +
           index +
           R"(, zero), dynamic_slice_sizes={1,3}, metadata={op_name=")" + name +
           R"(slice"}
  flat = f32[3] bitcast(row), metadata={op_name=")" +
           name + R"(slice"}
  h = f32[] constant(0.75)
  hs = f32[3] broadcast(h), dimensions={}
  y = f32[3] multiply(x, hs), metadata={op_name=")" +
           name + R"(mul"}
  z = f32[3] add(y, flat), metadata={op_name=")" +
           name + R"(add"}
  ROOT r = (s32[], f32[3], f32[5,3]) tuple(j, z, rows) }
ENTRY e { a = f32[5,3] parameter(0)
  zero = s32[] constant(0)
  none = f32[] constant(0)
  x = f32[3] broadcast(none), dimensions={}
  t = (s32[], f32[3], f32[5,3]) tuple(zero, x, a)
  w = (s32[], f32[3], f32[5,3]) while(t), condition=goes, body=step
  ROOT r = f32[3] get-tuple-element(w), index=1 }
)";
  };
  const std::vector<std::string> inputs = {
      "5x3xf32=1 2 4 7 11 13 17 19 23 29 31 37 41 43 47"};
  const std::string full = "jit(f)/while/body/";
  EXPECT_EQ(judge(with("i", ""), with("i", full), inputs).translation.verdict,
            Verdict::kAgrees);
  EXPECT_EQ(judge(with("i", ""), with("j", full), inputs).name, "row");
}

constexpr std::string_view kNegated = R"(HloModule m
ENTRY e { x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  d = f32[4] subtract(x, y), metadata={op_name="sub"}
  n = f32[4] negate(d), metadata={op_name="neg"}
  s = f32[4] exponential(n), metadata={op_name="exp"}
  ROOT r = f32[4] add(s, x), metadata={op_name="add"} }
)";

TEST(JudgeTranslation, NamesAnInstructionWhoseOperandHasLostAnOperation) {
  constexpr std::string_view kLost = R"(HloModule m
ENTRY e { x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  d = f32[4] subtract(x, y), metadata={op_name="jit(f)/sub"}
  s = f32[4] exponential(d), metadata={op_name="jit(f)/exp"}
  ROOT r = f32[4] add(s, x), metadata={op_name="jit(f)/add"} }
)";
  const Judged judged = judge(kNegated, kLost, kInputs);
  EXPECT_EQ(judged.name, "s");
  EXPECT_EQ(judged.mend, "negate of its operand %d");
  const Module before = verified_module(kNegated);
  Module changed = verified_module(kLost);
  locate_difference(before, changed, make_inputs(before, kInputs), {});
  EXPECT_TRUE(equal(changed, verified_module(kLost)));
}

TEST(JudgeTranslation, TriesTheValueThatTheProgramBeforeHas) {
  constexpr std::string_view kReversed = R"(HloModule m
ENTRY e { x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  d = f32[4] subtract(x, y), metadata={op_name="jit(f)/sub"}
  n = f32[4] negate(d), metadata={op_name="jit(f)/neg"}
  v = f32[4] reverse(n), dimensions={0}, metadata={op_name="jit(f)/neg"}
  s = f32[4] exponential(v), metadata={op_name="jit(f)/exp"}
  ROOT r = f32[4] add(s, x), metadata={op_name="jit(f)/add"} }
)";
  const Judged judged = judge(kNegated, kReversed, kInputs);
  EXPECT_EQ(judged.name, "v");
  EXPECT_EQ(judged.mend, "the value of %n");
}

TEST(JudgeTranslation, NamesAChoiceWhoseBranchesAreExchanged) {
  const auto with = [](const std::string& branches) {
    return "HloModule m\nzero { x = f32[4] parameter(0)\n"
           "  ROOT r = f32[4] cosine(x) }\none { x = f32[4] parameter(0)\n"
           "  ROOT r = f32[4] sine(x) }\n"
           "ENTRY e { x = f32[4] parameter(0)\n  k = s32[] constant(1)\n"
           "  c = f32[4] conditional(k, x, x), branch_computations={" +
           branches + "}\n  ROOT r = f32[4] negate(c) }\n";
  };
  const Judged judged =
      judge(with("zero, one"), with("one, zero"), {"4xf32=1 2 3 4"});
  EXPECT_EQ(judged.name, "c");
  EXPECT_EQ(judged.mend, "its computations exchanged");
}

TEST(JudgeTranslation, NamesALoopThatEndsTooEarly) {
  const auto with = [](const std::string& rounds) {
    return "HloModule m\ngoes { s = (s32[], f32[4]) parameter(0)\n"
           "  i = s32[] get-tuple-element(s), index=0\n  n = s32[] constant(" +
           rounds +
           ")\n  ROOT r = pred[] compare(i, n), direction=LT, "
           "metadata={op_name=\"f/cond/lt\"} }\n"
           "step { s = (s32[], f32[4]) parameter(0)\n"
           "  i = s32[] get-tuple-element(s), index=0\n"
           "  x = f32[4] get-tuple-element(s), index=1\n"
           "  one = s32[] constant(1)\n  j = s32[] add(i, one)\n"
           "  y = f32[4] multiply(x, x), metadata={op_name=\"f/body/mul\"}\n"
           "  ROOT r = (s32[], f32[4]) tuple(j, y) }\n"
           "ENTRY e { x = f32[4] parameter(0)\n  z = s32[] constant(0)\n"
           "  t = (s32[], f32[4]) tuple(z, x)\n"
           "  w = (s32[], f32[4]) while(t), condition=goes, body=step\n"
           "  ROOT r = f32[4] get-tuple-element(w), index=1 }\n";
  };
  const Judged judged = judge(with("4"), with("3"), {"4xf32=1.1 1.2 1.3 1.4"});
  EXPECT_EQ(judged.name, "n");
  EXPECT_EQ(judged.mend, "the value of %n");
}

TEST(JudgeTranslation, NamesAnotherOrderOfDimensions) {
  const auto with = [](const std::string& order) {
    return "HloModule m\nENTRY e { x = f32[2,2,2] parameter(0)\n"
           "  y = f32[2,2,2] exponential(x)\n"
           "  t = f32[2,2,2] transpose(y), dimensions={" +
           order + "}\n  ROOT r = f32[2,2,2] add(t, y) }\n";
  };
  const Judged judged =
      judge(with("2,0,1"), with("0,2,1"), {"2x2x2xf32=1 2 3 4 5 6 7 8"});
  EXPECT_EQ(judged.name, "t");
  EXPECT_EQ(judged.mend, "dimensions={2,0,1}");
}

TEST(JudgeTranslation, NamesWhatHandsOnTheWrongValues) {
  const auto with = [](const std::string& results) {
    return "HloModule m\nENTRY e { x = f32[4] parameter(0)\n"
           "  y = f32[4] exponential(x)\n  z = f32[4] negate(x)\n"
           "  ROOT r = (f32[4], f32[4]) tuple(" +
           results + ") }\n";
  };
  const Judged judged = judge(with("y, z"), with("z, y"), {"4xf32=1 2 3 4"});
  EXPECT_EQ(judged.name, "r");
  EXPECT_EQ(judged.mend, "");
}

// Nothing is certified of a factor of a matrix that may be another one; the sum
// beside it is right.
TEST(JudgeTranslation, TakesNothingOnTrustThatIsNotCertified) {
  const auto program = [](const std::string& factor) {
    return "HloModule m\nENTRY e { x = f32[2,2] parameter(0)\n"
           "  y = f32[2,2] exponential(x)\n"
           "  l = f32[2,2] cholesky(y), lower=true\n" +
           factor +
           "  s = f32[2,2] add(x, x)\n"
           "  ROOT r = (f32[2,2], f32[2,2]) tuple(s, f) }\n";
  };
  const std::string kept = program("  f = f32[2,2] copy(l)\n");
  const std::string wrong = program("  f = f32[2,2] negate(l)\n");
  const std::vector<std::string> inputs = {"2x2xf32=1 0 0 1"};
  EXPECT_EQ(judge(kept, kept, inputs).translation.verdict, Verdict::kAgrees);
  const Translation found = judge(kept, wrong, inputs).translation;
  EXPECT_EQ(found.verdict, Verdict::kUnjudged);
  EXPECT_EQ(found.uncertified, 4);
  EXPECT_NE(found.reason, "");
}

/// A program with so many of these elements.
std::string sized(const std::string& elements, int size) {
  return "HloModule m\nENTRY e { x = s32[4] constant({" + elements +
         "})\n  n = s32[] constant(" + std::to_string(size) +
         ")\n  d = s32[<=4] set-dimension-size(x, n), dimensions={0}\n"
         "  ROOT r = s32[<=4] add(d, d) }\n";
}

TEST(JudgeTranslation, AsksForTheSizesOfRunTimeAndNothingPastThem) {
  const std::string before = sized("1, 2, 3, 4", 2);
  const Judged agrees = judge(before, sized("1, 2, 9, 8", 2), {});
  EXPECT_EQ(agrees.translation.verdict, Verdict::kAgrees);
  EXPECT_EQ(agrees.translation.elements, 2);
  for (const int size : {1, 3}) {
    const Judged differs = judge(before, sized("1, 2, 3, 4", size), {});
    EXPECT_EQ(differs.translation.verdict, Verdict::kDiffers);
    EXPECT_EQ(differs.translation.outside.place, "sizes");
    EXPECT_EQ(differs.translation.outside.expected, "[2]");
  }
  EXPECT_EQ(judge(before, sized("1, 3, 3, 4", 2), {}).translation.verdict,
            Verdict::kDiffers);
}

}  // namespace
}  // namespace hlo::conformance
