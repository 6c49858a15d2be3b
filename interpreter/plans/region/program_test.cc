#include "interpreter/plans/region/program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/plans/region/compile_program.h"
#include "interpreter/plans/region/work_meter.h"
#include "interpreter/run/evaluator.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

/// A module of regions, the last of which is the entry and is compiled.
class Source {
 public:
  explicit Source(const std::string& source)
      : module_(text::parse("HloModule m\n" + source)) {
    verify(module_);
  }

  const Computation& computation() const { return *module_.entry; }

  std::optional<Program> compile() const {
    return compile_program(computation());
  }

 private:
  Module module_;
};

std::string rename_entry(const std::string& body) {
  return "ENTRY main {\n" + body + "\n}\n";
}

constexpr int64_t kMostWork = 100'000;

/// Runs on arrays of n elements of any types.
std::vector<Literal> run(const Program& program, int64_t n,
                         const std::vector<Literal>& inputs) {
  Evaluator evaluator(kReference, {.max_work = kMostWork});
  WorkMeter meter(evaluator);
  Program::Scratch scratch(program, n, meter, /*single=*/false);
  std::vector<const std::byte*> sources;
  std::vector<std::byte*> targets;
  std::vector<Literal> outputs;
  sources.reserve(inputs.size());
  targets.reserve(program.outputs().size());
  for (const Literal& input : inputs) sources.push_back(input.bytes().data());
  for (const ElementType type : program.outputs()) {
    outputs.emplace_back(Shape::array(type, {n}));
  }
  for (Literal& output : outputs) {
    targets.push_back(output.mutable_bytes().data());
  }
  program.run(scratch, n, sources.data(), targets.data());
  return outputs;
}

Literal value(const std::string& text) {
  return text::parse_literal_with_shape(text);
}

TEST(Program, RunsInstructionsOnManyElements) {
  const Source region(rename_entry(R"(
    x = s32[] parameter(0)
    y = s32[] parameter(1)
    ten = s32[] constant(10)
    product = s32[] multiply(x, ten)
    ROOT r = s32[] add(product, y))"));
  const auto program = region.compile();
  ASSERT_TRUE(program.has_value());
  const auto result =
      run(*program, 3, {value("s32[3] {1, 2, 3}"), value("s32[3] {4, 5, -6}")});
  EXPECT_TRUE(identical(result[0], value("s32[3] {14, 25, 24}")));
}

TEST(Program, RunsNarrowTypesAndTests) {
  const Source region(rename_entry(R"(
    x = bf16[] parameter(0)
    half = bf16[] constant(0.5)
    less = pred[] compare(x, half), direction=LT
    zero = bf16[] constant(0)
    ROOT r = bf16[] select(less, zero, x))"));
  const auto program = region.compile();
  ASSERT_TRUE(program.has_value());
  const auto result = run(*program, 4, {value("bf16[4] {0.25, 0.5, 3, nan}")});
  EXPECT_TRUE(identical(result[0], value("bf16[4] {0, 0.5, 3, nan}")));
}

TEST(Program, RunsArraysElementByElement) {
  const Source region(rename_entry(R"(
    x = s32[2,2] parameter(0)
    y = s32[2,2] parameter(1)
    ten = s32[] constant(10)
    tens = s32[2,2] broadcast(ten), dimensions={}
    product = s32[2,2] multiply(x, tens)
    ROOT r = s32[2,2] add(product, y))"));
  const auto program = compile_program(region.computation(), {2, 2});
  ASSERT_TRUE(program.has_value());
  const auto result =
      run(*program, 3, {value("s32[3] {1, 2, 3}"), value("s32[3] {4, 5, -6}")});
  EXPECT_TRUE(identical(result[0], value("s32[3] {14, 25, 24}")));
}

TEST(Program, LeavesCopiesThatConvert) {
  for (const Ints& dims : {Ints{}, Ints{2, 2}}) {
    const std::string shape = dims.empty() ? "[]" : "[2,2]";
    const auto compiled = [&](const std::string& type, const std::string& op) {
      const Source region(rename_entry("x = " + type + shape +
                                       " parameter(0)\nROOT r = bf16" + shape +
                                       " " + op + "(x)"));
      return compile_program(region.computation(), dims).has_value();
    };
    EXPECT_FALSE(compiled("f32", "copy"));
    EXPECT_TRUE(compiled("bf16", "copy"));
    EXPECT_TRUE(compiled("bf16", "real"));
  }
}

TEST(Program, LeavesArraysWhoseElementsMeet) {
  for (const char* body : {
           "ROOT r = s32[2,2] transpose(x), dimensions={1,0}",
           "ROOT r = s32[2,2] broadcast(x), dimensions={1,0}",
           "ROOT r = s32[2,2] reverse(x), dimensions={0}",
           "ROOT r = s32[4] reshape(x)",
           "c = s32[2,2] constant({{1, 2}, {3, 4}})\nROOT r = add(x, c)",
           "s = s32[] parameter(1)\nROOT r = s32[2,2] broadcast(s), "
           "dimensions={}",
       }) {
    const Source region(
        rename_entry(std::string("x = s32[2,2] parameter(0)\n") + body));
    EXPECT_FALSE(compile_program(region.computation(), {2, 2})) << body;
  }
}

TEST(Program, ReturnsTheLeavesOfTuples) {
  const Source region(rename_entry(R"(
    x = (f32[], s32[]) parameter(0)
    a = f32[] get-tuple-element(x), index=0
    b = s32[] get-tuple-element(x), index=1
    n = s32[] negate(b)
    ROOT r = (s32[], f32[]) tuple(n, a))"));
  const auto program = region.compile();
  ASSERT_TRUE(program.has_value());
  const auto result =
      run(*program, 2, {value("f32[2] {1, 2}"), value("s32[2] {3, 4}")});
  EXPECT_TRUE(identical(result[0], value("s32[2] {-3, -4}")));
  EXPECT_TRUE(identical(result[1], value("f32[2] {1, 2}")));
}

TEST(Program, RunsCalledRegionsInPlace) {
  const Source region(R"(twice { x = f32[] parameter(0)
      ROOT r = f32[] add(x, x) }
    four_times { x = f32[] parameter(0)
      y = f32[] call(x), to_apply=twice
      ROOT r = f32[] fusion(y), kind=kLoop, calls=twice }
    )" + rename_entry(R"(
    x = f32[] parameter(0)
    y = f32[] call(x), to_apply=four_times
    z = f32[] reshape(y)
    ROOT r = f32[] broadcast(z), dimensions={})"));
  const auto program = region.compile();
  ASSERT_TRUE(program.has_value());
  const auto result = run(*program, 2, {value("f32[2] {1, -2.5}")});
  EXPECT_TRUE(identical(result[0], value("f32[2] {4, -10}")));
}

TEST(Program, WritesOutputsOverInputs) {
  const Source region(rename_entry(R"(
    x = s32[] parameter(0)
    y = s32[] parameter(1)
    ROOT r = (s32[], s32[]) tuple(y, x))"));
  const auto program = region.compile();
  ASSERT_TRUE(program.has_value());
  int32_t x = 1;
  int32_t y = 2;
  std::byte* const places[] = {reinterpret_cast<std::byte*>(&x),
                               reinterpret_cast<std::byte*>(&y)};
  Evaluator evaluator(kReference);
  WorkMeter meter(evaluator);
  Program::Scratch scratch(*program, 1, meter, /*single=*/false);
  program->run(scratch, 1, places, places);
  EXPECT_EQ(x, 2);
  EXPECT_EQ(y, 1);
}

TEST(Program, LeavesOutWhatTheRootDoesNotNeed) {
  const Source region(rename_entry(R"(
    x = f32[] parameter(0)
    token = token[] after-all()
    ROOT r = f32[] negate(x))"));
  EXPECT_TRUE(region.compile().has_value());
}

TEST(Program, RefusesArrays) {
  const Source region(rename_entry(R"(
    x = f32[2] parameter(0)
    ROOT r = f32[2] negate(x))"));
  EXPECT_FALSE(region.compile().has_value());
}

constexpr std::string_view kCollatz = R"(
more { s = (s32[], s32[]) parameter(0)
  x = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  ROOT r = pred[] compare(x, one), direction=GT }
half { x = s32[] parameter(0)
  two = s32[] constant(2)
  ROOT r = s32[] divide(x, two) }
triple { x = s32[] parameter(0)
  three = s32[] constant(3)
  one = s32[] constant(1)
  y = s32[] multiply(x, three)
  ROOT r = s32[] add(y, one) }
turn { s = (s32[], s32[]) parameter(0)
  x = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  one = s32[] constant(1)
  odd = s32[] and(x, one)
  y = s32[] conditional(odd, x, x), branch_computations={half, triple}
  m = s32[] add(n, one)
  ROOT r = (s32[], s32[]) tuple(y, m) }
)";

// 27 is the known long one: 111 turns. 1 and 0 take none.
TEST(Program, TurnsLoopsForEachElement) {
  const Source region(std::string(kCollatz) + rename_entry(R"(
    x = s32[] parameter(0)
    zero = s32[] constant(0)
    s = (s32[], s32[]) tuple(x, zero)
    t = (s32[], s32[]) while(s), condition=more, body=turn
    ROOT r = s32[] get-tuple-element(t), index=1)"));
  const auto program = region.compile();
  ASSERT_TRUE(program.has_value());
  const auto result = run(*program, 6, {value("s32[6] {1, 27, 6, 0, 7, 27}")});
  EXPECT_TRUE(identical(result[0], value("s32[6] {0, 111, 8, 0, 16, 111}")));
}

TEST(Program, TakesTheBranchOfEachElement) {
  const Source region(R"(
    same { ROOT x = s32[] parameter(0) }
    minus { x = s32[] parameter(0)
      ROOT r = s32[] negate(x) }
    zero { x = () parameter(0)
      ROOT r = s32[] constant(0) }
    )" + rename_entry(R"(
    i = s32[] parameter(0)
    x = s32[] parameter(1)
    none = () tuple()
    ROOT r = s32[] conditional(i, x, x, none), branch_computations={same, minus, zero})"));
  const auto program = region.compile();
  ASSERT_TRUE(program.has_value());
  const auto result = run(
      *program, 5,
      {value("s32[5] {0, 1, 2, -1, 7}"), value("s32[5] {10, 11, 12, 13, 14}")});
  EXPECT_TRUE(identical(result[0], value("s32[5] {10, -11, 0, 0, 0}")));
}

TEST(Program, TakesTheFirstBranchForTrue) {
  const Source region(R"(same { ROOT x = f32[] parameter(0) }
    minus { x = f32[] parameter(0)
      ROOT r = f32[] negate(x) }
    )" + rename_entry(R"(
    p = pred[] parameter(0)
    x = f32[] parameter(1)
    ROOT r = f32[] conditional(p, x, x), true_computation=same, false_computation=minus)"));
  const auto program = region.compile();
  ASSERT_TRUE(program.has_value());
  const auto result =
      run(*program, 2, {value("pred[2] {1, 0}"), value("f32[2] {1, 2}")});
  EXPECT_TRUE(identical(result[0], value("f32[2] {1, -2}")));
}

TEST(Program, EndsEndlessLoops) {
  const Source region(R"(
    always { x = s32[] parameter(0)
      ROOT r = pred[] constant(true) }
    same { ROOT x = s32[] parameter(0) }
    )" + rename_entry(R"(
    x = s32[] parameter(0)
    ROOT r = s32[] while(x), condition=always, body=same)"));
  const auto program = region.compile();
  ASSERT_TRUE(program.has_value());
  try {
    run(*program, 1, {value("s32[1] {1}")});
    FAIL() << "an endless loop ended";
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), "evaluate.work");
  }
}

TEST(Program, RefusesCallsOfUnknownTargets) {
  const Source region(rename_entry(R"(
    x = c64[] parameter(0)
    ROOT r = c64[] custom-call(x), custom_call_target="unknown")"));
  EXPECT_FALSE(region.compile().has_value());
}

/// Whether regions f0 .. f39 compile each of which is `body`, a format of the
/// one before it, which it runs twice.
bool compiles_doubled(fmt::format_string<int, int> body) {
  std::string source = "f0 { ROOT x = f32[] parameter(0) }\n";
  for (int i = 1; i < 40; ++i) {
    source += fmt::format("f{} {{ x = f32[] parameter(0)\n", i) +
              fmt::format(body, i - 1, i - 1) + " }\n";
  }
  const Source region(source + rename_entry("x = f32[] parameter(0)\n"
                                            "ROOT r = f32[] call(x), "
                                            "to_apply=f39"));
  return region.compile().has_value();
}

TEST(Program, RefusesWhatDoublesTooOften) {
  EXPECT_FALSE(
      compiles_doubled("y = f32[] call(x), to_apply=f{}\n"
                       "ROOT r = f32[] call(y), to_apply=f{}"));
  EXPECT_FALSE(
      compiles_doubled("zero = s32[] constant(0)\n"
                       "ROOT r = f32[] conditional(zero, x, x), "
                       "branch_computations={{f{}, f{}}}"));
}

}  // namespace
}  // namespace hlo
