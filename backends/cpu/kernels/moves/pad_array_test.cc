#include "backends/cpu/kernels/moves/pad_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"

// What is expected asks of each place of the result which element lies there.

namespace hlo::cpu {
namespace {

using Bytes = std::vector<std::byte>;

int64_t elements(const std::vector<PaddedDimension>& dims,
                 int64_t PaddedDimension::*size) {
  int64_t count = 1;
  for (const PaddedDimension& d : dims) count *= d.*size;
  return count;
}

/// The element at a place of the result, or -1.
int64_t element_at(const std::vector<PaddedDimension>& dims, int64_t place) {
  int64_t element = 0;
  int64_t stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    const int64_t at = place % dims[d].output - dims[d].low;
    place /= dims[d].output;
    if (at < 0 || at % dims[d].step != 0) return -1;
    if (at / dims[d].step >= dims[d].input) return -1;
    element += at / dims[d].step * stride;
    stride *= dims[d].input;
  }
  return element;
}

void expect_padded(const std::vector<PaddedDimension>& dims, size_t width) {
  const int64_t count = elements(dims, &PaddedDimension::input);
  Bytes from(static_cast<size_t>(count) * width);
  for (size_t i = 0; i < from.size(); ++i) from[i] = std::byte(i * 7 + i / 256);
  const Bytes padding(width, std::byte{0xee});
  const int64_t places = elements(dims, &PaddedDimension::output);
  Bytes to(static_cast<size_t>(places) * width);
  pad_array(dims, width, from.data(), padding.data(), to.data());
  for (int64_t i = 0; i < places; ++i) {
    const int64_t element = element_at(dims, i);
    for (size_t b = 0; b < width; ++b) {
      const auto own = static_cast<size_t>(element) * width + b;
      ASSERT_EQ(to[static_cast<size_t>(i) * width + b],
                element < 0 ? padding[b] : from[own])
          << "place " << i << " of " << places;
    }
  }
}

TEST(PadArray, PutsElementsWhereTheFormulaSays) {
  std::mt19937 engine(1);
  const auto drawn = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(engine);
  };
  for (int i = 0; i < 400; ++i) {
    std::vector<PaddedDimension> dims;
    for (int64_t rank = drawn(0, 4); rank > 0; --rank) {
      PaddedDimension d{drawn(1, 6), 0, 0, 1};
      d.output = d.input;
      if (drawn(0, 2) != 0) {
        d.step = drawn(1, 3);
        d.low = drawn(-4, 4);
        d.output = std::max<int64_t>(
            1, (d.input - 1) * d.step + 1 + d.low + drawn(-4, 4));
      }
      dims.push_back(d);
    }
    everywhere([&] { expect_padded(dims, size_t{1} << drawn(0, 4)); });
  }
}

TEST(PadArray, TakesTheEndsOfTheRange) {
  constexpr int64_t kMost = INT64_MAX;
  constexpr int64_t kHalf = int64_t{1} << 62;
  const PaddedDimension outside[] = {{1, 1, -kMost, kHalf + 1},
                                     {2, 3, INT64_MIN, 3},
                                     {5, 4, -kMost, kMost - 5},
                                     {3, 2, kMost, kMost},
                                     {3, 7, -kHalf, kHalf + 8}};
  for (const PaddedDimension& d : outside) {
    EXPECT_EQ(placed_elements(d).count, 0) << d.low << " " << d.step;
    const float from[5] = {1, 2, 3, 4, 5};
    const float padding = 9;
    float to[8] = {};
    // Along the last dimension, and along one before it.
    for (const PaddedDimension& last :
         {PaddedDimension{1, 1, 0, 1}, PaddedDimension{1, 1, 1, 1}}) {
      const PaddedDimension dims[] = {d, last};
      pad_array(dims, 4, reinterpret_cast<const std::byte*>(from),
                reinterpret_cast<const std::byte*>(&padding),
                reinterpret_cast<std::byte*>(to));
      for (int64_t i = 0; i < d.output; ++i) EXPECT_EQ(to[i], 9);
    }
  }
  // Element 1 lies at place 1.
  const PlacedElements one = placed_elements({3, 2, -kHalf, kHalf + 1});
  EXPECT_EQ(one.first, 1);
  EXPECT_EQ(one.count, 1);
  EXPECT_EQ(one.place, 1);
}

TEST(PadArray, SharesLongArrays) {
  everywhere([] {
    expect_padded({{300, 310, 4, 1}, {200, 207, 5, 1}}, 4);
    expect_padded({{70000, 140000, -3, 2}}, 2);
    expect_padded({{400, 398, -1, 1}, {100, 100, 0, 1}, {3, 4, 0, 1}}, 8);
  });
}

}  // namespace
}  // namespace hlo::cpu
