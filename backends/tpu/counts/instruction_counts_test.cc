#include "backends/tpu/counts/instruction_counts.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "backends/tpu/tpu_backend.h"
#include "interpreter/verify/verify.h"

namespace hlo::tpu {
namespace {

/// What a run of a program without parameters tells.
std::string counted(const std::string& program,
                    const std::string& uri = "tpu:") {
  const Module module = verified_module(program);
  const std::unique_ptr<Backend> backend = make_tpu_backend(uri);
  const std::unique_ptr<Executable> executable = backend->compile(module);
  const Outcome outcome = executable->run({});
  EXPECT_TRUE(std::holds_alternative<std::vector<Buffer>>(outcome));
  return executable->counts().value();
}

/// The numbers of the line that begins so.
std::vector<int64_t> numbers_of(const std::string& text,
                                const std::string& name) {
  std::vector<int64_t> numbers;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream words(line.substr(name.size()));
    for (int64_t number = 0; words >> number;) numbers.push_back(number);
    return numbers;
  }
  return numbers;
}

/// The numbers of the units in the order of the table.
std::vector<int64_t> totals(const std::string& text) {
  std::vector<int64_t> all;
  const auto add = [&](std::string_view word) {
    const size_t end = text.find(word);
    const size_t begin = text.find_last_of(" \n", end - 1) + 1;
    all.push_back(std::stoll(text.substr(begin, end - begin)));
  };
  for (const char* word :
       {" load", " store", " operation", " move", " pass", " element"}) {
    add(word);
  }
  all.push_back(numbers_of(text, "moved: ").at(0));
  return all;
}

constexpr const char* kComputations = R"(
    add { a = f32[] parameter(0)  b = f32[] parameter(1)
          ROOT s = f32[] add(a, b) }
    body { s = (s32[], f32[9,130]) parameter(0)
           i = s32[] get-tuple-element(s), index=0
           x = f32[9,130] get-tuple-element(s), index=1
           one = s32[] constant(1)
           next = s32[] add(i, one)
           y = f32[9,130] negate(x)
           ROOT t = (s32[], f32[9,130]) tuple(next, y) }
    condition { s = (s32[], f32[9,130]) parameter(0)
                i = s32[] get-tuple-element(s), index=0
                five = s32[] constant(5)
                ROOT r = pred[] compare(i, five), direction=LT }
    sums { x = f32[130] parameter(0)  c = f32[130] parameter(1)
           s = f32[130] add(x, c)  ROOT r = (f32[130], f32[130]) tuple(s, s) }
    whole { a = f32[9,130] parameter(0)  b = f32[9,130] parameter(1)
            ROOT s = f32[9,130] multiply(a, b) }
    begun { x = f32[9,130] parameter(0)  ROOT t = f32[9,130] abs(x) }
)";

constexpr const char* kMain = R"(
    ENTRY main {
      x = f32[9,130]{0,1:T(8,128)} iota(), iota_dimension=0
      zero = s32[] constant(0)
      t = (s32[], f32[9,130]) tuple(zero, x)
      w = (s32[], f32[9,130]) while(t), condition=condition, body=body
      y = f32[9,130] get-tuple-element(w), index=1
      o = f32[] constant(0)
      c = f32[130] broadcast(o), dimensions={}
      n = (f32[9,130], f32[130]) scan(y, c), dimensions={0}, num_carries=1,
        to_apply=sums
      z = f32[9,130]{1,0:T(2,2)} get-tuple-element(n), index=0
      b = ((f32[9,130]), f32[9,130], u32[]) async-start(z), calls=begun
      e = f32[9,130] async-done(b)
      r = f32[9,130] all-reduce(e), to_apply=whole
      ROOT q = f32[130] reduce(r, o), dimensions={0}, to_apply=add
    })";

// Calls, loops, scans, layouts that differ, and devices that meet.
TEST(TpuInstructionCounts, AddUpToAll) {
  for (const char* devices : {"HloModule m", "HloModule m, replica_count=3"}) {
    const std::string text =
        counted(std::string(devices) + kComputations + kMain);
    EXPECT_EQ(numbers_of(text, "all "), totals(text)) << text;
  }
}

// Programs on devices of their own count for those who run them.
TEST(TpuInstructionCounts, HoldThoseOfProgramsWithinPrograms) {
  const std::string text = counted(R"(
    HloModule m
    f { x = f32[8,128]{1,0:T(8,128)} parameter(0)
        ROOT n = f32[8,128]{1,0:T(8,128)} negate(x) }
    ENTRY main {
      x = f32[8,128]{1,0:T(8,128)} iota(), iota_dimension=0
      ROOT r = (f32[8,128], f32[8,128]) custom-call(x, x),
        custom_call_target="interpreter.run_parallel",
        called_computations={f, f}, backend_config={"replicas":2}
    })");
  EXPECT_EQ(numbers_of(text, "all "), totals(text)) << text;
  const std::vector<int64_t> negations = numbers_of(text, "  %n negate");
  EXPECT_EQ(negations.at(2), 2) << text;  // operations: one on each device
}

// Five turns of the loop, each with one operation on the register of a scalar.
TEST(TpuInstructionCounts, AreThoseOfAllRunsOfAnInstruction) {
  const std::string text = counted(std::string(kComputations) + kMain);
  EXPECT_EQ(numbers_of(text, "  %next add").at(2), 5) << text;
}

// A line of 40000 rows in runs of 4096, and 20000 updates in blocks of 1724, of
// 76 bytes each in half of 2^18.
TEST(TpuInstructionCounts, TellsHowManyPiecesThereWere) {
  const std::string sort = R"(
    less { a = f32[] parameter(0)  b = f32[] parameter(1)
           ROOT r = pred[] compare(a, b), direction=LT }
    ENTRY main {
      x = f32[2,40000] iota(), iota_dimension=1
      ROOT s = f32[2,40000] sort(x), dimensions={1}, to_apply=less })";
  const std::string small = "tpu:?scratch=262144";
  EXPECT_NE(counted(sort, small).find("splits: 1 operation, into 20 pieces\n"),
            std::string::npos);
  EXPECT_EQ(counted(sort).find("splits"), std::string::npos);
  EXPECT_NE(counted(R"(
    add { a = f32[] parameter(0)  b = f32[] parameter(1)
          ROOT r = f32[] add(a, b) }
    ENTRY main {
      at = s32[20000] iota(), iota_dimension=0
      x = f32[20000] iota(), iota_dimension=0
      s = f32[20000] scatter(x, at, x), update_window_dims={},
          inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
          index_vector_dim=1, to_apply=add
      ROOT t = f32[20000] scatter(s, at, x), update_window_dims={},
          inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
          index_vector_dim=1, to_apply=add })",
                    small)
                .find("splits: 2 operations, into 24 pieces\n"),
            std::string::npos);
}

}  // namespace
}  // namespace hlo::tpu
