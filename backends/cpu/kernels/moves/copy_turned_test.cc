#include "backends/cpu/kernels/moves/copy_turned.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"

// What is expected takes one element after the other.

namespace hlo::cpu {
namespace {

void expect_copied(const View& view, size_t width, int64_t memory) {
  std::vector<std::byte> from(static_cast<size_t>(memory) * width);
  for (size_t i = 0; i < from.size(); ++i) from[i] = std::byte(i * 5 + i / 256);
  const auto bytes = static_cast<size_t>(view.count()) * width;
  std::vector<std::byte> expected(bytes);
  for (int64_t i = 0; i < view.count(); ++i) {
    copy_elements(view, width, from.data(), i, 1,
                  expected.data() + i * static_cast<int64_t>(width));
  }
  everywhere([&] {
    std::vector<std::byte> to(bytes);
    ASSERT_TRUE(copy_turned(view, width, from.data(), to.data()));
    EXPECT_EQ(to, expected);
  });
}

TEST(CopyTurned, TakesElementsInTheirOrder) {
  std::mt19937 engine(1);
  const auto drawn = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(engine);
  };
  int turned = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<int64_t> dims;
    for (int64_t rank = drawn(2, 4); rank > 0; --rank) {
      dims.push_back(drawn(1, 24));
    }
    std::vector<int64_t> order(dims.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, engine);
    const View view = View::dense(dims).permuted(order).collapsed();
    const auto has_near = [&] {
      for (size_t d = 0; d + 1 < view.dims.size(); ++d) {
        if (view.strides[d] == 1 && view.dims[d] >= 4) return true;
      }
      return false;
    };
    if (!has_near()) continue;
    expect_copied(view, size_t{1} << drawn(0, 4), View::dense(dims).count());
    ++turned;
  }
  EXPECT_GT(turned, 50);
}

TEST(CopyTurned, SharesLargeMatrices) {
  expect_copied({{257, 300}, {1, 257}, 0}, 4, 257 * 300);
  // Backwards, and a part of a larger one.
  expect_copied({{200, 65}, {1, -300}, 64 * 300 + 7}, 8, 65 * 300);
}

TEST(CopyTurned, LeavesOthersAlone) {
  const View others[] = {View::dense({30, 40}),
                         {{30, 40}, {0, 1}, 0},
                         {{3, 40}, {1, 3}, 0},
                         {{30, 40}, {1, 0}, 0},
                         {{30}, {2}, 0}};
  for (const View& view : others) {
    std::vector<uint32_t> from(5000);
    std::vector<uint32_t> to(5000, 7);
    EXPECT_FALSE(copy_turned(view, 4,
                             reinterpret_cast<const std::byte*>(from.data()),
                             reinterpret_cast<std::byte*>(to.data())));
    EXPECT_EQ(to, std::vector<uint32_t>(5000, 7));
  }
}

}  // namespace
}  // namespace hlo::cpu
