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
    const std::byte* const inputs[] = {
        reinterpret_cast<const std::byte*>(whole.data()),
        reinterpret_cast<const std::byte*>(row_.data())};
    Numbers sums(sums_.size(), kNan);
    const TileProgram program = products(sizes_);
    LineStep step;
    step.program = &program;
    step.inputs.assign(std::begin(inputs), std::end(inputs));
    step.to = reinterpret_cast<std::byte*>(lines);
    step.fold = {Fold::kAdd, sizes_.folded, kInit};
    step.folds = sums.data();
    run_lines({{step}}, sizes_.outer);
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
  step.inputs = {reinterpret_cast<const std::byte*>(more.data()),
                 reinterpret_cast<const std::byte*>(more.data())};
  step.fold = {Fold::kAdd, sizes_.folded, kInit};
  for (size_t i = 0; i < whole_.size(); ++i) more[i] *= 1.5F;
  Numbers products(whole_.size());
  for (size_t i = 0; i < products.size(); ++i) {
    products[i] = more[i] * more[i + row_.size()];
  }
  everywhere([&] {
    Numbers sums(sums_.size(), kNan);
    step.folds = sums.data();
    run_lines({{step}}, sizes_.outer);
    for (int64_t i = 0; i < sizes_.outer; ++i) {
      EXPECT_EQ(
          sums[static_cast<size_t>(i)],
          sum_of_lanes(products.data() + i * sizes_.folded, sizes_.folded));
    }
  });
}

/// Sums of lines, each twice as a line of one number, and the array without.
TEST_P(FoldTiles, ComputesOneNumberOfEachLineEverywhere) {
  TileProgram twice;
  twice.count = sizes_.outer;
  twice.inputs = {{View::dense({twice.count})}};
  twice.ops = {{Code::kAddF32, 1, {0, 0}}};
  twice.registers = 2;
  TileProgram rest;
  rest.count = sizes_.outer * sizes_.folded;
  rest.inputs = {{View::dense({rest.count})},
                 {View{{sizes_.outer, sizes_.folded}, {1, 0}, 0}.collapsed()}};
  rest.ops = {{Code::kSubtractF32, 2, {0, 1}}};
  rest.registers = 3;
  Numbers sums(sums_.size());
  Numbers doubles(sums_.size());
  Numbers results(whole_.size());
  const auto bytes = [](Numbers& numbers) {
    return reinterpret_cast<std::byte*>(numbers.data());
  };
  LineStep steps[3];
  steps[0].from = lines_.data();
  steps[0].fold = {Fold::kAdd, sizes_.folded, kInit};
  steps[0].folds = sums.data();
  steps[1] = {&twice, {bytes(sums)}, bytes(doubles), nullptr, {}, nullptr};
  steps[2] = {
      &rest,  {bytes(lines_), bytes(doubles)}, bytes(results), nullptr, {},
      nullptr};
  Numbers expected = lines_;
  for (size_t i = 0; i < expected.size(); ++i) {
    const float sum = sums_[i / static_cast<size_t>(sizes_.folded)];
    expected[i] -= sum + sum;
  }
  everywhere([&] {
    std::ranges::fill(results, kNan);
    run_lines(steps, sizes_.outer);
    EXPECT_EQ(results, expected);
  });
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
