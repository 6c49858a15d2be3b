#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <thread>

#include "backends/cpu/arrays/block_pool.h"
#include "backends/cpu/kernels/products/multiply_matrices.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/testing/everywhere.h"
#include "backends/cpu/kernels/testing/numbers.h"
#include "backends/cpu/kernels/tiles/fold_arrays.h"
#include "backends/cpu/kernels/tiles/tile_program.h"
#include "backends/cpu/threads/share_loop.h"

// What is expected is computed here element by element: chains of std::fma,
// functions in long double, views by their formula. Each test runs on all
// instruction sets of the machine, the one without vectors included.

namespace hlo::cpu {
namespace {

bool same_bits(const Numbers& x, const Numbers& y) {
  return std::ranges::equal(x, y, {}, std::bit_cast<uint32_t, float>,
                            std::bit_cast<uint32_t, float>);
}

struct Sizes {
  int64_t rows, depth, columns;
};

// Tiles of 14 x 32 and 6 x 16, halves of them, blocks of 1024 and their tails;
// few and many rows, with short steps between them and long ones, and those of
// powers of two.
constexpr Sizes kProducts[] = {
    {1, 1, 1},     {13, 5, 31},   {14, 256, 32},  {15, 257, 33},
    {90, 600, 70}, {200, 3, 130}, {3, 513, 200},  {5, 0, 3},
    {16, 16, 16},  {29, 300, 48}, {48, 40, 272},  {49, 40, 304},
    {192, 30, 80}, {193, 30, 80}, {48, 270, 8},   {100, 273, 96},
    {0, 3, 5},     {2, 3, 0},     {15, 1024, 33}, {30, 1025, 31},
    {60, 2048, 9}, {3, 2100, 70}};

Numbers chains(const Sizes& s, const Numbers& x, const Numbers& y) {
  Numbers sums;
  for (int64_t m = 0; m < s.rows; ++m) {
    for (int64_t n = 0; n < s.columns; ++n) {
      float sum = 0;
      for (int64_t k = 0; k < s.depth; ++k) {
        sum = std::fma(x[static_cast<size_t>(m * s.depth + k)],
                       y[static_cast<size_t>(k * s.columns + n)], sum);
      }
      sums.push_back(sum);
    }
  }
  return sums;
}

TEST(MultiplyMatrices, IsAChainOfFusedProductsInOrder) {
  for (const Sizes& s : kProducts) {
    const Numbers x = random_numbers(s.rows * s.depth);
    const Numbers y = random_numbers(s.depth * s.columns);
    const Numbers expected = chains(s, x, y);
    everywhere([&] {
      Numbers sums(expected.size(), kNan);
      multiply_matrices(left_matrix({x.data(), s.depth, 1}, s.rows, s.depth),
                        {y.data(), s.columns, 1}, s.columns, sums.data(),
                        s.columns);
      EXPECT_TRUE(same_bits(sums, expected)) << s.rows << " " << s.depth;
    });
  }
}

TEST(MultiplyMatrices, ReadsColumnsAndWritesAmongOthers) {
  const Numbers x = random_numbers(20 * 7);
  const Numbers y = random_numbers(7 * 40);
  const Numbers expected = chains({20, 7, 40}, x, y);
  Numbers x_columns(x.size());
  Numbers y_columns(y.size());
  for (size_t k = 0; k < 7; ++k) {
    for (size_t m = 0; m < 20; ++m) x_columns[k * 20 + m] = x[m * 7 + k];
    for (size_t n = 0; n < 40; ++n) y_columns[n * 7 + k] = y[k * 40 + n];
  }
  everywhere([&] {
    Numbers sums(20 * 50, -1);
    multiply_matrices(left_matrix({x_columns.data(), 1, 20}, 20, 7),
                      {y_columns.data(), 1, 7}, 40, sums.data() + 5, 50);
    for (size_t i = 0; i < sums.size(); ++i) {
      const size_t column = i % 50;
      const bool inside = column >= 5 && column < 45;
      EXPECT_EQ(sums[i], inside ? expected[i / 50 * 40 + column - 5] : -1.0F);
    }
  });
}

TEST(FoldMiddle, FoldsColumnsInOrder) {
  const FoldSizes sizes{3, 50, 75};
  const Numbers from = random_numbers(3 * 50 * 75);
  Numbers expected(3 * 75, 0.25F);
  for (size_t i = 0; i < from.size(); ++i) {
    expected[i / (50 * 75) * 75 + i % 75] += from[i];
  }
  everywhere([&] {
    Numbers sums(expected.size(), kNan);
    fold_middle(Fold::kAdd, sizes, from.data(), 0.25F, sums.data());
    EXPECT_TRUE(same_bits(sums, expected));
  });
}

TEST(FoldMiddle, FoldsRowsIn64Lanes) {
  const int64_t count = 1000;
  const Numbers from = random_numbers(5 * count);
  Numbers expected;
  for (size_t row = 0; row < 5; ++row) {
    Numbers lanes(64, -0.0F);
    for (size_t i = 0; i < count; ++i) lanes[i % 64] += from[row * count + i];
    for (size_t half = 32; half > 0; half /= 2) {
      for (size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
    }
    expected.push_back(0.5F + lanes[0]);
  }
  everywhere([&] {
    Numbers sums(5, kNan);
    fold_middle(Fold::kAdd, {5, count, 1}, from.data(), 0.5F, sums.data());
    EXPECT_TRUE(same_bits(sums, expected));
  });
}

TEST(FoldMiddle, KeepsSignsOfZeroAndNan) {
  everywhere([&] {
    for (const int64_t inner : {1, 80}) {
      Numbers zeros(static_cast<size_t>(70 * inner), -0.0F);
      Numbers result(static_cast<size_t>(inner));
      fold_middle(Fold::kAdd, {1, 70, inner}, zeros.data(), -0.0F,
                  result.data());
      EXPECT_TRUE(std::signbit(result.back()));
      zeros[static_cast<size_t>(69 * inner)] = 0.0F;
      fold_middle(Fold::kMaximum, {1, 70, inner}, zeros.data(), -kInf,
                  result.data());
      EXPECT_FALSE(std::signbit(result.front()));
      zeros[0] = kNan;
      fold_middle(Fold::kMinimum, {1, 70, inner}, zeros.data(), -kInf,
                  result.data());
      EXPECT_TRUE(std::isnan(result.front()));
    }
  });
}

TEST(CopyView, FollowsTheFormulaOfAView) {
  const std::vector<int64_t> dims = {3, 4, 5};
  std::vector<uint16_t> from(60);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<uint16_t>(i);
  const int64_t order[] = {2, 0, 1};
  const int64_t back[] = {0};
  const View view = View::dense(dims).permuted(order).reversed(back);
  std::vector<uint16_t> to(60);
  copy_view(view, 2, reinterpret_cast<const std::byte*>(from.data()),
            reinterpret_cast<std::byte*>(to.data()));
  for (size_t k = 0; k < 5; ++k) {
    for (size_t i = 0; i < 12; ++i) {
      EXPECT_EQ(to[k * 12 + i], i * 5 + (4 - k));
    }
  }
}

TEST(WriteElements, FollowsTheFormulaOfAView) {
  // Rows, single elements and one element of [3,4,5], each from 7 on.
  for (const View& view :
       {View{{2, 3, 5}, {20, 5, 1}, 7}, View{{2, 3, 1}, {20, 5, 1}, 7},
        View{{1, 1, 1}, {20, 5, 1}, 7}}) {
    Numbers expected(60, kNan);
    Numbers to = expected;
    const Numbers from = random_numbers(view.count());
    for (size_t i = 0; i < from.size(); ++i) {
      const size_t last = static_cast<size_t>(view.dims[2]);
      const size_t rows = i / last;
      expected[7 + rows / 3 * 20 + rows % 3 * 5 + i % last] = from[i];
    }
    write_elements(view, 4, reinterpret_cast<const std::byte*>(from.data()),
                   reinterpret_cast<std::byte*>(to.data()));
    EXPECT_TRUE(same_bits(to, expected));
  }
}

TEST(View, ReshapesWithoutACopyWhereStridesSayIt) {
  const int64_t order[] = {1, 0};
  const View turned = View::dense({4, 6}).permuted(order);
  EXPECT_EQ(turned.reshaped({2, 3, 4}), (View{{2, 3, 4}, {3, 1, 6}, 0}));
  EXPECT_FALSE(turned.reshaped({24}));
  EXPECT_EQ(View::dense({0, int64_t{1} << 62, 8}).count(), 0);
}

TEST(ScratchBytes, GrowWithoutKeepingWhatWasTooSmall) {
  constexpr size_t kMiB = size_t{1} << 20;
  const int64_t before = kept_bytes();
  std::thread([] {
    for (const size_t size : {kMiB, 3 * kMiB, 5 * kMiB}) {
      std::byte* const bytes = scratch_bytes(Scratch::kPart, size);
      EXPECT_TRUE(std::all_of(bytes, bytes + size, [](std::byte byte) {
        return byte == std::byte{0};
      }));
      std::fill_n(bytes, size, std::byte{1});
      EXPECT_EQ(scratch_bytes(Scratch::kPart, kMiB), bytes);
    }
  }).join();
  EXPECT_LE(kept_bytes(), before);
}

TEST(ShareLoop, ThrowsWhatABodyThrowsAndCallsEachOnce) {
  for (const int64_t threads : {1, 4, 64}) {
    const ThreadCount count(threads);
    std::vector<int> calls(1000);
    share_loop(1000, [&](int64_t i) { ++calls[static_cast<size_t>(i)]; });
    EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), 1000);
    const auto fails = [](int64_t i) {
      if (i == 500) throw std::bad_alloc();
    };
    EXPECT_THROW(share_loop(1000, fails), std::bad_alloc);
    share_loop(1000, 7, [&](int64_t i) { ++calls[static_cast<size_t>(i)]; });
    EXPECT_EQ(std::count(calls.begin(), calls.end(), 2), 1000);
  }
}

}  // namespace
}  // namespace hlo::cpu
