#include "interpreter/run/budget.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/model/array_memory.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

Module verified_module(const std::string& entry) {
  Module module = text::parse(
      "HloModule m\n"
      "add { a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT r = f32[] add(a, b) }\n"
      "two { a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  c = f32[] parameter(2)\n  d = f32[] parameter(3)\n"
      "  s = f32[] add(a, d)\n  t = f32[] add(b, c)\n"
      "  ROOT r = (f32[], f32[]) tuple(s, t) }\n"
      "ENTRY main {\n" +
      entry + "\n}\n");
  verify(module);
  return module;
}

/// The error that the program ends with, without its instruction; "none".
std::string error_of(const std::string& entry, EvaluatorOptions options = {}) {
  try {
    evaluate(verified_module(entry), {}, options);
  } catch (const Error& error) {
    const std::string& message = error.message();
    return error.rule() + ": " + message.substr(0, message.find(" (instruc"));
  }
  return "none";
}

std::string rule_of(const std::string& entry, EvaluatorOptions options = {}) {
  const std::string error = error_of(entry, options);
  return error.substr(0, error.find(':'));
}

/// What the program takes of a budget without an end.
int64_t work_of(const std::string& entry) {
  EvaluatorOptions options;
  options.budget = std::make_shared<Budget>(Budget::kEndless);
  evaluate(verified_module(entry), {}, options);
  return options.budget->spent();
}

TEST(Budget, EndsWithItsLastUnit) {
  Budget budget(10);
  budget.spend(4);
  budget.spend(6);
  budget.spend(0);
  EXPECT_THROW(budget.spend(1), Error);
  EXPECT_EQ(budget.spent(), 11);
}

TEST(Budget, TellsLaterWhatWasTaken) {
  Budget budget(10);
  budget.take(std::numeric_limits<int64_t>::max());
  budget.take(std::numeric_limits<int64_t>::max());
  EXPECT_EQ(budget.spent(), 22);
  EXPECT_THROW(budget.spend(0), Error);
}

TEST(Budget, GrowsWithTheInputs) {
  EXPECT_EQ(Budget::by_inputs(0), 2'000'000'000);
  EXPECT_EQ(Budget::by_inputs(1'000'000), 3'024'000'000);
  EXPECT_EQ(Budget::by_inputs(std::numeric_limits<int64_t>::max()),
            Budget::kEndless);
}

/// Each is refused before anything of it is done.
TEST(Budget, RefusesWhatWouldTakeTooLong) {
  const std::string kX = "x = f32[4] iota(), iota_dimension=0\n";
  const std::string kZ = "z = f32[] constant(0)\n";
  const std::string kWindow =
      "window={size=1000000000000 pad=500000000000_500000000003}, ";
  for (const std::string& entry : {
           kX + kZ + "ROOT r = f32[8] reduce-window(x, z), " + kWindow +
               "to_apply=add",
           std::string("x = f32[5000,5000] iota(), iota_dimension=0\n"
                       "ROOT r = f32[5000,5000] dot(x, x), "
                       "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
           std::string("x = f32[1999993] iota(), iota_dimension=0\n"
                       "ROOT r = c64[999997] fft(x), fft_type=RFFT, "
                       "fft_length={1999993}"),
           std::string("x = f32[50000000] iota(), iota_dimension=0\n"
                       "ROOT r = (f32[50000000], s32[50000000]) topk(x), "
                       "k=50000000, largest=true"),
           std::string("x = f32[900,900] iota(), iota_dimension=0\n"
                       "ROOT r = f32[900,900] cholesky(x)"),
       }) {
    EXPECT_EQ(rule_of(entry), "evaluate.work") << entry;
  }
}

TEST(Budget, SaysHowMuchWouldBeNeeded) {
  const std::string sum =
      "x = f32[1000] iota(), iota_dimension=0\nz = f32[] constant(0)\n"
      "ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=add";
  EXPECT_EQ(error_of(sum, {.max_work = 600}),
            "evaluate.work: it would take about 1016 units of work, but a run "
            "can take at most 600 (--max-work)");
  EXPECT_EQ(error_of(sum, {.max_work = 1500}),
            "evaluate.work: the program has not ended after 1500 units of "
            "work, but it must end within that (--max-work)");
}

/// What a unit of work for each element would be far too little for.
TEST(Budget, ChargesWhatTakesLonger) {
  const std::string x = "x = f32[10000] iota(), iota_dimension=0\n";
  const std::string i = "i = s32[10000,1] iota(), iota_dimension=0\n";
  for (const auto& [entry, least] : std::map<std::string, int64_t>{
           {x + "ROOT r = f32[10000] reduce-precision(x), exponent_bits=5, "
                "mantissa_bits=3",
            400'000},
           {x + "ROOT r = f32[10000] remainder(x, x)", 240'000},
           {x + "ROOT r = f32[10000] clamp(x, x, x)", 110'000},
           {x + "y = u32[10000] bitcast-convert(x)\n"
                "ROOT r = bf16[10000] stochastic-convert(x, y)",
            280'000},
           {x + i +
                "ROOT r = f32[10000] gather(x, i), offset_dims={}, "
                "collapsed_slice_dims={0}, start_index_map={0}, "
                "index_vector_dim=1, slice_sizes={1}",
            100'000},
           {x + i +
                "ROOT r = f32[10000] scatter(x, i, x), "
                "update_window_dims={}, inserted_window_dims={0}, "
                "scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
                "to_apply=add",
            500'000},
           {x + "ROOT r = f32[10000] all-reduce(x), replica_groups={}, "
                "to_apply=add",
            10'000},
           {x + "z = f32[] constant(0)\n"
                "ROOT r = (f32[], f32[]) reduce(x, x, z, z), dimensions={0}, "
                "to_apply=two",
            400'000},
       }) {
    EXPECT_GT(work_of(entry), least) << entry;
    EXPECT_LT(work_of(entry), 3 * least) << entry;
  }
}

TEST(Budget, ADefinitionTakesMore) {
  const std::string entry =
      "x = f32[100,100] iota(), iota_dimension=0\n"
      "ROOT r = f32[100,100] dot(x, x), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}";
  const int64_t work = work_of(entry);
  EXPECT_GT(work, 125'000);
  EXPECT_LT(work, 200'000);
  EXPECT_EQ(rule_of(entry, {.max_work = 2'000'000}), "none");
  EXPECT_EQ(rule_of(entry, {.max_work = 2'000'000, .plans = PlanSet::none()}),
            "evaluate.work");
}

TEST(Memory, EndsArraysThatAreTooManyAtTheSameTime) {
  const std::string one = "x = f32[1000000] iota(), iota_dimension=0\n";
  const std::string two = one + "y = f32[1000000] negate(x)\n";
  const std::string sum = two + "ROOT r = f32[1000000] add(x, y)";
  const int64_t before = held_memory();
  set_most_memory(before + 9'000'000);
  EXPECT_EQ(rule_of(sum), "evaluate.memory");
  EXPECT_EQ(held_memory(), before);
  set_most_memory(before + 13'000'000);
  EXPECT_EQ(rule_of(sum), "none");
  EXPECT_EQ(held_memory(), before);
  set_most_memory(machine_memory());
}

// A sort keeps 8 bytes for each place and 32 for each element of a line; a
// gather 8 for each index and 16 for each slice; a scatter 36 for each update.
TEST(Memory, CountsWhatIsTakenBesideArrays) {
  const std::string bytes =
      "i = s32[100000] iota(), iota_dimension=0\n"
      "x = s8[100000] convert(i)\ny = f32[100000] convert(i)\n"
      "j = s32[100000,1] reshape(i)\n";
  const std::pair<std::string, int64_t> kRows[] = {
      {"ROOT r = (s8[100000], s32[100000]) topk(x), k=100000, largest=true",
       4'000'000},
      {"ROOT r = s8[100000] gather(x, j), offset_dims={}, "
       "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
       "slice_sizes={1}",
       2'400'000},
      {"ROOT r = f32[100000] scatter(y, j, y), update_window_dims={}, "
       "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
       "index_vector_dim=1, to_apply=add",
       4'000'000}};
  const int64_t before = held_memory();
  for (const auto& [line, scratch] : kRows) {
    // The indices, the operand and the results are the arrays.
    set_most_memory(before + 1'400'000 + scratch / 2);
    EXPECT_EQ(rule_of(bytes + line), "evaluate.memory") << line;
    EXPECT_EQ(held_memory(), before);
    set_most_memory(before + 1'400'000 + scratch);
    EXPECT_EQ(rule_of(bytes + line), "none") << line;
    EXPECT_EQ(held_memory(), before);
  }
  set_most_memory(machine_memory());
}

TEST(Memory, SaysWhatIsHeld) {
  const int64_t before = held_memory();
  set_most_memory(before + 5'000'000);
  EXPECT_EQ(error_of("c = f32[] constant(1)\n"
                     "x = f32[1000000] broadcast(c), dimensions={}\n"
                     "ROOT y = f32[1000000] negate(x)"),
            "evaluate.memory: f32[1000000] takes 4000000 bytes beside " +
                std::to_string(before + 4'000'000) +
                " that are in use, but all arrays together can take at most " +
                std::to_string(before + 5'000'000) + " (--max-memory)");
  set_most_memory(machine_memory());
}

}  // namespace
}  // namespace hlo
