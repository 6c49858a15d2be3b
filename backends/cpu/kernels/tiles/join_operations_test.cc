#include "backends/cpu/kernels/tiles/join_operations.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"
#include "backends/cpu/kernels/testing/numbers.h"

// What joined operations give is held to what they give one after the other.

namespace hlo::cpu {
namespace {

constexpr int64_t kLines = 5;
constexpr int64_t kLine = 512;

/// x, an array y, and a number z for each line, as long as a tile, are
/// registers 0, 1 and 2.
TileProgram program_of(const std::vector<LaneOp>& ops) {
  TileProgram program;
  program.count = kLines * kLine;
  program.inputs = {{View::dense({program.count})},
                    {View::dense({program.count})},
                    {View{{kLines, kLine}, {1, 0}, 0}}};
  program.ops = ops;
  program.registers = 6;
  return program;
}

Numbers computed(const TileProgram& program) {
  Numbers x = random_numbers(program.count);
  x[7] = kNan;
  x[8] = 100;
  x[9] = -kInf;
  const Numbers y = random_numbers(program.count + 1);
  const Numbers z = random_numbers(kLines);
  std::vector<const std::byte*> inputs;
  const Numbers* const all[] = {&x, &y, &z};
  for (const Numbers* const input : all) {
    inputs.push_back(reinterpret_cast<const std::byte*>(input->data()));
  }
  Numbers result(x.size());
  run_tiles(program, inputs, reinterpret_cast<std::byte*>(result.data()));
  return result;
}

void expect_joined(const std::vector<LaneOp>& ops, size_t count) {
  TileProgram program = program_of(ops);
  const Numbers expected = computed(program);
  join_operations(program);
  // What is one already stays as it is.
  join_operations(program);
  EXPECT_EQ(program.ops.size(), count);
  everywhere([&] {
    const Numbers result = computed(program);
    EXPECT_EQ(std::memcmp(result.data(), expected.data(), 4 * result.size()),
              0);
  });
}

TEST(JoinOperations, MakesOneOfADifferenceAndItsExponential) {
  for (const uint16_t y : {uint16_t{1}, uint16_t{2}}) {
    expect_joined(
        {{Code::kSubtractF32, 3, {0, y}}, {Code::kExponentialF32, 5, {3}}}, 1);
  }
  expect_joined({{Code::kSubtractF32, 3, {2, 0}},
                 {Code::kExponentialF32, 3, {3}},
                 {Code::kMultiplyF32, 5, {3, 1}}},
                2);
}

TEST(JoinOperations, LeavesADifferenceThatAnotherOneReads) {
  expect_joined({{Code::kSubtractF32, 3, {0, 1}},
                 {Code::kExponentialF32, 4, {3}},
                 {Code::kMultiplyF32, 5, {4, 3}}},
                3);
  // Here another number is read from its register.
  expect_joined({{Code::kSubtractF32, 3, {0, 1}},
                 {Code::kExponentialF32, 4, {3}},
                 {Code::kNegateF32, 3, {1}},
                 {Code::kMultiplyF32, 5, {4, 3}}},
                3);
}

TEST(JoinOperations, LeavesAnExponentialOfAnotherNumber) {
  expect_joined({{Code::kSubtractF32, 3, {0, 1}},
                 {Code::kExponentialF32, 4, {0}},
                 {Code::kMultiplyF32, 5, {4, 3}}},
                3);
}

TEST(JoinOperations, MakesOneOfAnOperationAndTheRoundingOfItsResult) {
  for (const Code code : {Code::kAddF32, Code::kSubtractF32, Code::kMultiplyF32,
                          Code::kDivideF32}) {
    for (const Code rounding : {Code::kRoundToBf16, Code::kRoundToF16}) {
      for (const uint16_t y : {uint16_t{1}, uint16_t{2}}) {
        expect_joined({{code, 5, {0, y}}, {rounding, 5, {5}}}, 1);
        expect_joined({{code, 3, {y, 0}}, {rounding, 5, {3}}}, 1);
      }
      // The exponential is of the rounded number.
      expect_joined({{code, 3, {0, 1}},
                     {rounding, 3, {3}},
                     {Code::kExponentialF32, 4, {3}},
                     {rounding, 5, {4}}},
                    3);
    }
  }
}

TEST(JoinOperations, RoundsTwiceWhereThatIsAsked) {
  expect_joined({{Code::kMultiplyF32, 3, {0, 1}},
                 {Code::kRoundToF16, 3, {3}},
                 {Code::kRoundToBf16, 5, {3}}},
                2);
}

TEST(JoinOperations, LeavesANumberThatIsReadUnrounded) {
  expect_joined({{Code::kAddF32, 3, {0, 1}},
                 {Code::kRoundToBf16, 4, {3}},
                 {Code::kMultiplyF32, 5, {4, 3}}},
                3);
  expect_joined({{Code::kMaximumF32, 3, {0, 1}}, {Code::kRoundToBf16, 5, {3}}},
                2);
}

}  // namespace
}  // namespace hlo::cpu
