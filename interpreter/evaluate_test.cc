#include "interpreter/evaluate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "interpreter/error.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

Literal value(std::string_view source) {
  return text::parse_literal_with_shape(source);
}

std::string rule_of(const Module& module, std::vector<Literal> arguments,
                    EvaluatorOptions options = {}) {
  try {
    evaluate(module, std::move(arguments), std::move(options));
  } catch (const Error& error) {
    return error.rule();
  }
  return "none";
}

constexpr std::string_view kSum = R"(HloModule m
ENTRY main {
  x = s32[2] parameter(0)
  y = s32[2] parameter(1)
  ROOT r = s32[2] add(x, y)
})";

constexpr std::string_view kEndlessLoop = R"(HloModule m
always { s = s32[] parameter(0)
  ROOT r = pred[] constant(true) }
body { ROOT s = s32[] parameter(0) }
ENTRY main {
  x = s32[] constant(0)
  ROOT r = s32[] while(x), condition=always, body=body
})";

TEST(Evaluate, GivesTheRootOfTheEntry) {
  const Literal sum = evaluate(
      verified_module(kSum), {value("s32[2] {1, 2}"), value("s32[2] {3, 4}")});
  EXPECT_TRUE(identical(sum, value("s32[2] {4, 6}")));
}

TEST(Evaluate, GivesParametersTheLayoutsTheyAreDeclaredWith) {
  const Literal result = evaluate(verified_module(R"(HloModule m
f { p = f32[2,2]{0,1} parameter(0)
  ROOT t = (f32[2,2]{0,1}) tuple(p) }
ENTRY main {
  x = f32[2,2]{1,0} parameter(0)
  ROOT r = (f32[2,2]{0,1}) call(x), to_apply=f
})"),
                                  {value("f32[2,2] {{1, 2}, {3, 4}}")});
  EXPECT_EQ(to_string(result.shape()), "(f32[2,2]{0,1})");
}

constexpr std::string_view kRegions = R"(HloModule m
f { p = s32[] parameter(0)
  q = s32[] multiply(p, p)
  ROOT r = s32[] add(p, q) }
add { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b) }
join { a = s32[] parameter(0)
  b = s32[] parameter(1)
  p = s32[] multiply(a, b)
  q = s32[] add(a, b)
  ROOT r = s32[] add(p, q) }
greater { a = s32[] parameter(0)
  b = s32[] parameter(1)
  three = s32[] constant(3)
  i = s32[] and(a, three)
  j = s32[] and(b, three)
  ROOT r = pred[] compare(i, j), direction=GT }
ENTRY main {
  x = s32[6] parameter(0)
  z = s32[] constant(0)
  m = s32[2,3] reshape(x)
  a = s32[6] map(x), dimensions={0}, to_apply=f
  b = s32[3] reduce(m, z), dimensions={0}, to_apply=join
  c = s32[6] sort(x), dimensions={0}, is_stable=true, to_apply=greater
  d = s32[3,2] transpose(m), dimensions={1,0}
  e = s32[5] reduce-window(x, z), window={size=2 pad=1_0 rhs_dilate=2}, to_apply=add
  ROOT r = (s32[6], s32[3], s32[6], s32[3,2], s32[5]) tuple(a, b, c, d, e)
})";

// join is (1 + a) (1 + b) - 1.
TEST(Evaluate, GivesTheSameByDefinitionsAndWithoutCompiledRegions) {
  const Literal expected = value(
      "(s32[6], s32[3], s32[6], s32[3,2], s32[5]) ({2, 6, 12, 20, 30, 42}, "
      "{9, 17, 27}, {3, 2, 6, 1, 5, 4}, {{1, 4}, {2, 5}, {3, 6}}, {2, 4, 6, 8, "
      "10})");
  for (const PlanSet& plans :
       {PlanSet::all(), PlanSet::none(), PlanSet::parse("-region").value()}) {
    const Literal result =
        evaluate(verified_module(kRegions),
                 {value("s32[6] {1, 2, 3, 4, 5, 6}")}, {.plans = plans});
    EXPECT_TRUE(identical(result, expected)) << text::print(result);
  }
}

TEST(Evaluate, RefusesWrongArguments) {
  const Module module = verified_module(kSum);
  const Literal pair = value("s32[2] {1, 2}");
  EXPECT_EQ(rule_of(module, {pair}), "evaluate.arguments");
  EXPECT_EQ(rule_of(module, {pair, value("s32[3] {1, 2, 3}")}),
            "evaluate.arguments");
}

TEST(Evaluate, StopsEndlessLoops) {
  EXPECT_EQ(rule_of(verified_module(kEndlessLoop), {}, {.max_work = 100'000}),
            "evaluate.work");
}

TEST(Evaluate, RefusesEliminationThatTakesHours) {
  constexpr const char* kMatrix = R"(HloModule m
ENTRY main {
  i = f32[900,900] iota(), iota_dimension=0
  ROOT r = f32[900,900] )";
  EXPECT_EQ(
      rule_of(verified_module(std::string(kMatrix) + "cholesky(i)\n}"), {}),
      "evaluate.work");
  EXPECT_EQ(
      rule_of(verified_module(std::string(kMatrix) + "triangular-solve(i, i), "
                                                     "left_side=true\n}"),
              {}),
      "evaluate.work");
}

TEST(Evaluate, NamesWhatItCannotEvaluate) {
  const Op declared{.name = "declared"};
  Instruction instruction;
  instruction.op = &declared;
  Evaluator evaluator(kReference);
  try {
    evaluate_instruction(instruction, {}, evaluator);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), "evaluate.undefined");
  }
}

TEST(Evaluate, AttachesThePlaceOfTheInstruction) {
  const Module module = verified_module(
      "HloModule m\nENTRY main {\n"
      "  ROOT r = (u32[], token[]) infeed(after-all())\n}");
  try {
    evaluate(module, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.location().line, 3);
  }
}

TEST(Evaluate, AsksTheHostForNoValueWithoutArrays) {
  int asked = 0;
  const auto host = [&](const Shape& shape) {
    ++asked;
    return Literal(shape);
  };
  for (const std::string data : {"()", "((), ((), ()))"}) {
    const Module module =
        verified_module("HloModule m\nENTRY main {\n  ROOT r = (" + data +
                        ", token[]) infeed(after-all())\n}");
    EXPECT_EQ(rule_of(module, {}), "none") << data;
    const Literal pair = evaluate(module, {}, {.infeed = host});
    EXPECT_EQ(to_string(pair.elements().at(0).shape()), data);
  }
  EXPECT_EQ(asked, 0);
}

TEST(Evaluate, ShowsEachInstructionToTheObserver) {
  std::string seen;
  const auto observe = [&](const Instruction& instruction, Operands operands,
                           const Literal&) {
    seen += instruction.name + std::to_string(operands.size()) + " ";
  };
  evaluate(verified_module(kSum),
           {value("s32[2] {1, 2}"), value("s32[2] {3, 4}")},
           {.observer = observe});
  EXPECT_EQ(seen, "x0 y0 r2 ");
}

TEST(Evaluator, StopsAfterEachInstruction) {
  const Module module = verified_module(kSum);
  Evaluator evaluator(kReference);
  evaluator.start(*module.entry,
                  {value("s32[2] {1, 2}"), value("s32[2] {3, 4}")});
  EXPECT_TRUE(evaluator.step());
  EXPECT_TRUE(evaluator.step());
  EXPECT_FALSE(evaluator.step());
  EXPECT_FALSE(evaluator.step());
  EXPECT_TRUE(identical(evaluator.result(), value("s32[2] {4, 6}")));
}

TEST(Evaluator, DoesNotRecurseIntoCalls) {
  constexpr int kDepth = 20'000;
  std::string source = "HloModule m\nf0 { ROOT a = s32[] parameter(0) }\n";
  for (int i = 1; i < kDepth; ++i) {
    source += "f" + std::to_string(i) +
              " { a = s32[] parameter(0)\n ROOT r = s32[] call(a), to_apply=f" +
              std::to_string(i - 1) + " }\n";
  }
  source +=
      "ENTRY main { a = s32[] constant(7)\n ROOT r = s32[] call(a), "
      "to_apply=f" +
      std::to_string(kDepth - 1) + " }";
  EXPECT_EQ(evaluate(verified_module(source), {}).integer(0), 7);
}

TEST(Evaluator, UpdatesInPlaceWhatNobodyElseNeeds) {
  const Module module = verified_module(R"(HloModule m
ENTRY main {
  x = s32[4] parameter(0)
  u = s32[1] parameter(1)
  i = s32[] parameter(2)
  ROOT r = s32[4] dynamic-update-slice(x, u, i)
})");
  std::vector<Literal> arguments{value("s32[4] {1, 2, 3, 4}"),
                                 value("s32[1] {9}"), value("s32[] 2")};
  const std::byte* storage = arguments[0].bytes().data();
  const Literal result = evaluate(module, std::move(arguments));
  EXPECT_EQ(result.bytes().data(), storage);
  EXPECT_TRUE(identical(result, value("s32[4] {1, 2, 9, 4}")));
}

TEST(ParallelFor, CoversTheRangeOnce) {
  const Evaluator evaluator(kReference, {.threads = 4});
  for (const int64_t n : {0, 1, 7, 1000}) {
    std::vector<int> visits(static_cast<size_t>(n), 0);
    evaluator.parallel_for(n, 3, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) ++visits[static_cast<size_t>(i)];
    });
    EXPECT_EQ(visits, std::vector<int>(static_cast<size_t>(n), 1));
  }
}

TEST(ParallelFor, RunsSmallRangesInOnePiece) {
  const Evaluator evaluator(kReference, {.threads = 4});
  std::atomic<int> pieces = 0;
  evaluator.parallel_for(100, 100, [&](int64_t, int64_t) { ++pieces; });
  EXPECT_EQ(pieces, 1);
}

TEST(ParallelFor, CarriesExceptionsOver) {
  const Evaluator evaluator(kReference, {.threads = 4});
  const auto fail = [](int64_t begin, int64_t) {
    if (begin > 0) throw std::runtime_error("piece");
  };
  EXPECT_THROW(evaluator.parallel_for(1000, 1, fail), std::runtime_error);
}

constexpr std::string_view kCollatz = R"(HloModule m
goes_on {
  p = (s32[], (s32[], f32[])) parameter(0)
  q = get-tuple-element(p), index=1
  n = get-tuple-element(q), index=0
  one = s32[] constant(1)
  ROOT r = compare(n, one), direction=NE
}
turn {
  p = (s32[], (s32[], f32[])) parameter(0)
  turns = get-tuple-element(p), index=0
  q = get-tuple-element(p), index=1
  n = get-tuple-element(q), index=0
  x = get-tuple-element(q), index=1
  one = s32[] constant(1)
  two = s32[] constant(2)
  three = s32[] constant(3)
  more = add(turns, one)
  half = divide(n, two)
  triple = multiply(n, three)
  next = add(triple, one)
  odd = and(n, one)
  is_odd = compare(odd, one), direction=EQ
  then = select(is_odd, next, half)
  third = f32[] constant(0.333)
  y = multiply(x, third)
  pair = tuple(then, y)
  ROOT r = tuple(more, pair)
}
ENTRY main {
  n = s32[] parameter(0)
  x = f32[] constant(1)
  zero = s32[] constant(0)
  pair = tuple(n, x)
  t = tuple(zero, pair)
  ROOT r = while(t), condition=goes_on, body=turn
})";

TEST(Evaluator, ALoopOnScalarsIsTheSameStepByStep) {
  const Module module = verified_module(kCollatz);
  const Literal n = Literal::of({ElementType::kS32, {27, 0}});
  Evaluator compiled(kReference);
  const Literal fast = compiled.run(*module.entry, {n});
  int64_t seen = 0;
  Evaluator watched(kReference, {.observer = [&](const Instruction&, Operands,
                                                 const Literal&) { ++seen; }});
  const Literal slow = watched.run(*module.entry, {n});
  EXPECT_TRUE(identical(fast, slow));
  EXPECT_EQ(fast.elements()[0].integer(0), 111);  // Collatz' steps from 27
}

TEST(Evaluator, ALoopOnScalarsEndsWithinTheBudget) {
  const Module module = verified_module(kCollatz);
  const Literal n = Literal::of({ElementType::kS32, {0, 0}});
  Evaluator evaluator(kReference, {.max_work = 100'000});
  try {
    evaluator.run(*module.entry, {n});
    ADD_FAILURE() << "0 never becomes 1";
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), "evaluate.work");
  }
}

}  // namespace
}  // namespace hlo
