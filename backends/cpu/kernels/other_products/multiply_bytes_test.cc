#include "backends/cpu/kernels/other_products/multiply_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "backends/cpu/kernels/other_products/quad_panels.h"
#include "backends/cpu/kernels/testing/everywhere.h"

// What is expected are sums of integers of 64 bits, cut to 32.

namespace hlo::cpu {
namespace {

using Bytes = std::vector<uint8_t>;

/// Any bytes, and many at the ends of both ranges.
Bytes random_bytes(int64_t count) {
  std::mt19937 engine(static_cast<unsigned>(count));
  constexpr std::array<uint8_t, 5> kEnds = {0x00, 0x7f, 0x80, 0xff, 0x01};
  Bytes bytes(static_cast<size_t>(count));
  for (uint8_t& byte : bytes) {
    const auto drawn = static_cast<uint32_t>(engine());
    byte = drawn % 2 == 0 ? kEnds[drawn / 2 % kEnds.size()]
                          : static_cast<uint8_t>(drawn >> 8);
  }
  return bytes;
}

int64_t number_of(uint8_t byte, bool is_signed) {
  return is_signed ? int64_t{static_cast<int8_t>(byte)} : int64_t{byte};
}

struct ByteProduct {
  int64_t rows, depth, columns;
  bool left_signed = true, right_signed = true;
  Bytes left = random_bytes(rows * depth);      // row by row
  Bytes right = random_bytes(depth * columns);  // row by row

  std::vector<int32_t> expected() const {
    std::vector<int32_t> sums;
    for (int64_t m = 0; m < rows; ++m) {
      for (int64_t n = 0; n < columns; ++n) {
        int64_t sum = 0;
        for (int64_t k = 0; k < depth; ++k) {
          sum +=
              number_of(left[static_cast<size_t>(m * depth + k)], left_signed) *
              number_of(right[static_cast<size_t>(k * columns + n)],
                        right_signed);
        }
        sums.push_back(static_cast<int32_t>(sum));
      }
    }
    return sums;
  }

  ByteRows left_rows() const {
    return {rows, left_signed,
            [this](int64_t first, int64_t count, int64_t k, int64_t n,
                   int64_t step, uint8_t* to) {
              for (int64_t i = 0; i < count; ++i) {
                std::copy_n(left.data() + (first + i) * depth + k, n,
                            to + i * step);
              }
            }};
  }
};

std::vector<int64_t> steps(int64_t count, int64_t step) {
  std::vector<int64_t> places;
  for (int64_t i = 0; i < count; ++i) places.push_back(i * step);
  return places;
}

void expect_byte_product(const ByteProduct& product) {
  const std::vector<int32_t> expected = product.expected();
  const std::vector<int64_t> depth = steps(product.depth, product.columns);
  const std::vector<int64_t> columns = steps(product.columns, 1);
  everywhere([&] {
    std::vector<int32_t> sums(expected.size(), -1);
    multiply_bytes(product.left_rows(),
                   {reinterpret_cast<const std::byte*>(product.right.data()),
                    product.right_signed, depth, columns},
                   sums.data(), product.columns);
    EXPECT_EQ(sums, expected) << product.rows << " " << product.depth;
  });
}

// Tiles of 14 x 32, blocks of 128 quads and their tails.
constexpr std::array<int64_t, 3> kSizes[] = {
    {1, 1, 1},   {14, 512, 32}, {15, 513, 33}, {90, 1030, 70},
    {3, 3, 200}, {200, 5, 31},  {29, 4, 64},   {13, 515, 64}};

TEST(MultiplyBytes, IsTheSumOfProductsOfAllSigns) {
  for (const auto& [m, k, n] : kSizes) {
    for (const bool left : {true, false}) {
      for (const bool right : {true, false}) {
        expect_byte_product({m, k, n, left, right});
      }
    }
  }
}

TEST(MultiplyBytes, WrapsBeyond32Bits) {
  // 255 * 255 * 40,000 is more than 2^31, -128 * -128 * 140,000 too.
  for (const bool is_signed : {true, false}) {
    ByteProduct product{1, is_signed ? 140000 : 40000, 1, is_signed, is_signed};
    const uint8_t end = is_signed ? 0x80 : 0xff;
    std::ranges::fill(product.left, end);
    std::ranges::fill(product.right, end);
    expect_byte_product(product);
  }
}

TEST(MultiplyBytes, ReadsColumnsAndWritesAmongOthers) {
  const ByteProduct product{30, 141, 50};
  const std::vector<int32_t> expected = product.expected();
  Bytes right(product.right.size());
  for (size_t k = 0; k < 141; ++k) {
    for (size_t n = 0; n < 50; ++n) {
      right[n * 141 + k] = product.right[k * 50 + n];
    }
  }
  const std::vector<int64_t> depth = steps(141, 1);
  const std::vector<int64_t> columns = steps(50, 141);
  everywhere([&] {
    std::vector<int32_t> sums(30 * 60, -1);
    multiply_bytes(product.left_rows(),
                   {reinterpret_cast<const std::byte*>(right.data()), true,
                    depth, columns},
                   sums.data() + 5, 60);
    for (size_t i = 0; i < sums.size(); ++i) {
      const size_t column = i % 60;
      const bool inside = column >= 5 && column < 55;
      ASSERT_EQ(sums[i], inside ? expected[i / 60 * 50 + column - 5] : -1);
    }
  });
}

}  // namespace
}  // namespace hlo::cpu
