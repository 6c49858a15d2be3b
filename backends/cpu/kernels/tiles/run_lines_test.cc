#include "backends/cpu/kernels/tiles/run_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"
#include "backends/cpu/kernels/testing/numbers.h"
#include "backends/cpu/threads/share_loop.h"

// Sums are computed here number by number in the order that fold.h tells.

namespace hlo::cpu {
namespace {

constexpr float kInit = 0.5F;

struct Sizes {
  int64_t outer, folded;
};

// Lines of which many are a group, of whole vectors and not; groups that are
// not whole vectors; groups of which several threads get some.
constexpr Sizes kSizes[] = {{1, 2},   {1000, 3}, {333, 24},  {37, 1000},
                            {9, 197}, {50, 768}, {40, 16383}};

/// init with the sum of 64 lanes of numbers, added by halves.
float sum_of_lanes(const float* line, int64_t count) {
  Numbers lanes(64, -0.0F);
  for (int64_t i = 0; i < count; ++i) {
    lanes[static_cast<size_t>(i % 64)] += line[i];
  }
  for (size_t half = 32; half > 0; half /= 2) {
    for (size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
  }
  return kInit + lanes[0];
}

LineArray<const std::byte> read(const float* numbers) {
  return {reinterpret_cast<const std::byte*>(numbers)};
}

LineArray<std::byte> written(float* numbers) {
  return {reinterpret_cast<std::byte*>(numbers)};
}

/// An array that only the steps read.
template <typename Byte>
LineArray<Byte> inner(int64_t number) {
  return {nullptr, number};
}

/// whole * row, where the row is as long as a line.
TileProgram products(const Sizes& sizes) {
  TileProgram program;
  program.count = sizes.outer * sizes.folded;
  program.inputs = {{View::dense({program.count})},
                    {View{{sizes.outer, sizes.folded}, {0, 1}, 0}.collapsed()}};
  program.ops = {{Code::kMultiplyF32, 2, {0, 1}}};
  program.registers = 3;
  return program;
}

class FoldTiles : public testing::TestWithParam<Sizes> {
 protected:
  FoldTiles() {
    for (size_t i = 0; i < whole_.size(); ++i) {
      lines_.push_back(whole_[i] * row_[i % row_.size()]);
    }
    for (int64_t i = 0; i < sizes_.outer; ++i) {
      sums_.push_back(
          sum_of_lanes(lines_.data() + i * sizes_.folded, sizes_.folded));
    }
  }

  /// The sums; the lines are written to `lines`, if it is there.
  Numbers folded(const Numbers& whole, float* lines) const {
    Numbers sums(sums_.size(), kNan);
    const TileProgram program = products(sizes_);
    LineStep step;
    step.program = &program;
    step.inputs = {read(whole.data()), read(row_.data())};
    step.to = written(lines);
    step.fold = {Fold::kAdd, sizes_.folded, kInit};
    step.folds = sums.data();
    run_lines({{step}}, {}, sizes_.outer);
    return sums;
  }

  const Sizes sizes_ = GetParam();
  const Numbers whole_ = random_numbers(sizes_.outer * sizes_.folded);
  const Numbers row_ = random_numbers(sizes_.folded);
  Numbers lines_;
  Numbers sums_;
};

TEST_P(FoldTiles, FoldsWhatItComputesEverywhere) {
  on_each_target([&] {
    for (const int64_t threads : {1, 2, 3, 64}) {
      const ThreadCount count(threads);
      EXPECT_EQ(folded(whole_, nullptr), sums_);
      Numbers in_place = whole_;
      EXPECT_EQ(folded(in_place, in_place.data()), sums_);
      EXPECT_EQ(in_place, lines_);
    }
  });
}

TEST_P(FoldTiles, SumsProductsOfTwoArraysEverywhere) {
  TileProgram program;
  program.count = sizes_.outer * sizes_.folded;
  program.inputs = {{View::dense({program.count})},
                    {View{{program.count}, {1}, sizes_.folded}}};
  program.ops = {{Code::kMultiplyF32, 2, {1, 0}}};
  program.registers = 3;
  Numbers more = whole_;  // a line and the array
  more.insert(more.begin(), row_.begin(), row_.end());
  LineStep step;
  step.program = &program;
  step.inputs = {read(more.data()), read(more.data())};
  step.fold = {Fold::kAdd, sizes_.folded, kInit};
  for (size_t i = 0; i < whole_.size(); ++i) more[i] *= 1.5F;
  Numbers products(whole_.size());
  for (size_t i = 0; i < products.size(); ++i) {
    products[i] = more[i] * more[i + row_.size()];
  }
  everywhere([&] {
    Numbers sums(sums_.size(), kNan);
    step.folds = sums.data();
    run_lines({{step}}, {}, sizes_.outer);
    for (int64_t i = 0; i < sizes_.outer; ++i) {
      EXPECT_EQ(
          sums[static_cast<size_t>(i)],
          sum_of_lanes(products.data() + i * sizes_.folded, sizes_.folded));
    }
  });
}

/// x op y, where y is x's like or has a number for each line.
TileProgram binary(const Sizes& sizes, Code code, bool is_number) {
  TileProgram program;
  program.count = sizes.outer * sizes.folded;
  const View dense = View::dense({program.count});
  const View numbers = View{{sizes.outer, sizes.folded}, {1, 0}, 0}.collapsed();
  program.inputs = {{dense}, {is_number ? numbers : dense}};
  program.ops = {{code, 2, {0, 1}}};
  program.registers = 3;
  return program;
}

/// Twice a number of each line.
TileProgram doubled(const Sizes& sizes) {
  TileProgram program;
  program.count = sizes.outer;
  program.inputs = {{View::dense({program.count})}};
  program.ops = {{Code::kAddF32, 1, {0, 0}}};
  program.registers = 2;
  return program;
}

/// Sums of lines, each twice as a line of one number, and the array without.
TEST_P(FoldTiles, ComputesOneNumberOfEachLineEverywhere) {
  const TileProgram twice = doubled(sizes_);
  const TileProgram rest = binary(sizes_, Code::kSubtractF32, true);
  Numbers sums(sums_.size());
  Numbers doubles(sums_.size());
  Numbers results(whole_.size());
  LineStep steps[3];
  steps[0].from = read(lines_.data());
  steps[0].fold = {Fold::kAdd, sizes_.folded, kInit};
  steps[0].folds = sums.data();
  steps[1].program = &twice;
  steps[1].inputs = {read(sums.data())};
  steps[1].to = written(doubles.data());
  steps[2].program = &rest;
  steps[2].inputs = {read(lines_.data()), read(doubles.data())};
  steps[2].to = written(results.data());
  Numbers expected = lines_;
  for (size_t i = 0; i < expected.size(); ++i) {
    const float sum = sums_[i / static_cast<size_t>(sizes_.folded)];
    expected[i] -= sum + sum;
  }
  for (const bool streams : {false, true}) {
    steps[2].streams = streams;
    everywhere([&] {
      std::ranges::fill(results, kNan);
      run_lines(steps, {}, sizes_.outer);
      EXPECT_EQ(results, expected);
    });
  }
}

/// Lines without their sums, the squares of that, the sums of these, once of
/// products that nothing writes, and the squares without twice the sums.
TEST_P(FoldTiles, KeepsWhatOnlyItsStepsReadOfSomeLinesEverywhere) {
  const TileProgram rest = binary(sizes_, Code::kSubtractF32, true);
  const TileProgram square = binary(sizes_, Code::kMultiplyF32, false);
  const TileProgram twice = doubled(sizes_);
  const LineFold sum = {Fold::kAdd, sizes_.folded, kInit};
  Numbers products(sums_.size());
  Numbers squares(sums_.size());
  Numbers results(whole_.size());
  LineStep steps[6];
  steps[0].program = &rest;
  steps[0].inputs = {read(lines_.data()), read(sums_.data())};
  steps[0].to = inner<std::byte>(0);
  steps[1].program = &square;
  steps[1].inputs = {inner<const std::byte>(0), inner<const std::byte>(0)};
  steps[1].fold = sum;
  steps[1].folds = products.data();
  steps[2] = steps[1];
  steps[2].to = inner<std::byte>(1);
  steps[2].fold.reset();
  steps[3].from = inner<const std::byte>(1);
  steps[3].fold = sum;
  steps[3].folds = squares.data();
  steps[4].program = &twice;
  steps[4].inputs = {read(squares.data())};
  steps[4].to = inner<std::byte>(2);
  steps[5].program = &rest;
  steps[5].inputs = {inner<const std::byte>(1), inner<const std::byte>(2)};
  steps[5].to = written(results.data());
  Numbers expected = lines_;
  Numbers sums;
  for (int64_t i = 0; i < sizes_.outer; ++i) {
    float* const line = expected.data() + i * sizes_.folded;
    for (int64_t k = 0; k < sizes_.folded; ++k) {
      const float left = line[k] - sums_[static_cast<size_t>(i)];
      line[k] = left * left;
    }
    sums.push_back(sum_of_lanes(line, sizes_.folded));
    for (int64_t k = 0; k < sizes_.folded; ++k) {
      line[k] -= sums.back() + sums.back();
    }
  }
  const int64_t bytes = sizes_.folded * int64_t{sizeof(float)};
  // The squares over what they are of, and each in a place that a shorter line
  // has too.
  const std::vector<InnerLine> all[] = {
      {{7, bytes}, {7, bytes}, {3, 4}},
      {{7, bytes}, {8, bytes}, {9, 4}, {7, 4}, {8, 4}},
      {{8, bytes}, {7, bytes}, {9, 4}, {7, 4}, {8, 4}}};
  for (const std::vector<InnerLine>& inner_lines : all) {
    everywhere([&] {
      std::ranges::fill(results, kNan);
      run_lines(steps, inner_lines, sizes_.outer);
      EXPECT_EQ(products, sums);
      EXPECT_EQ(squares, sums);
      EXPECT_EQ(results, expected);
    });
  }
}

TEST(FoldLine, FindsTheEndsOfLinesOfAnyLength) {
  // What is beyond the end of a line would be larger, or less.
  on_each_target([] {
    for (int64_t n = 1; n < 200; ++n) {
      Numbers line = random_numbers(n);
      for (float& number : line) number = std::abs(number) + 1;
      EXPECT_EQ(fold_line(Fold::kMinimum, line.data(), n, 9),
                *std::ranges::min_element(line));
      for (float& number : line) number = -number;
      EXPECT_EQ(fold_line(Fold::kMaximum, line.data(), n, -9),
                *std::ranges::max_element(line));
    }
  });
}

TEST(FoldLine, SumsLinesOfAnyLengthIn64Lanes) {
  on_each_target([] {
    for (int64_t n = 0; n < 200; ++n) {
      const Numbers line = random_numbers(n);
      EXPECT_EQ(fold_line(Fold::kAdd, line.data(), n, kInit),
                sum_of_lanes(line.data(), n));
    }
    const Numbers zeros(70, -0.0F);
    EXPECT_TRUE(std::signbit(fold_line(Fold::kAdd, zeros.data(), 70, -0.0F)));
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, FoldTiles, testing::ValuesIn(kSizes));

}  // namespace
}  // namespace hlo::cpu
