#include "backends/cpu/kernels/products/multiply_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "backends/cpu/kernels/products/multiply_matrices.h"
#include "backends/cpu/kernels/products/pair_packing.h"
#include "backends/cpu/kernels/products/pair_panels.h"
#include "backends/cpu/kernels/testing/everywhere.h"
#include "backends/cpu/kernels/testing/numbers.h"

// What is expected are chains of std::fma of the numbers as f32.

namespace hlo::cpu {
namespace {

using Halves = std::vector<uint16_t>;

float wide(uint16_t half) { return std::bit_cast<float>(uint32_t{half} << 16); }

/// Normally distributed numbers, and a zero among each few.
Halves random_halves(int64_t count, size_t zero_each = 9) {
  Halves halves;
  for (const float number : random_numbers(count)) {
    const auto half =
        static_cast<uint16_t>(std::bit_cast<uint32_t>(number) >> 16);
    halves.push_back(halves.size() % zero_each == 0 ? half & 0x8000 : half);
  }
  return halves;
}

struct Product {
  int64_t rows, depth, columns;
  Halves left;   // row by row
  Halves right;  // row by row

  Product(int64_t m, int64_t k, int64_t n)
      : rows(m),
        depth(k),
        columns(n),
        left(random_halves(m * k)),
        right(random_halves(k * n)) {}

  Numbers expected() const {
    Numbers sums;
    for (int64_t m = 0; m < rows; ++m) {
      for (int64_t n = 0; n < columns; ++n) {
        float sum = 0;
        for (int64_t k = 0; k < depth; ++k) {
          sum =
              std::fma(wide(left[static_cast<size_t>(m * depth + k)]),
                       wide(right[static_cast<size_t>(k * columns + n)]), sum);
        }
        sums.push_back(sum);
      }
    }
    return sums;
  }

  LeftMatrix left_rows() const {
    return left_matrix({left.data(), depth, 1, Stored::kBf16}, rows, depth);
  }

  Matrix right_rows() const {
    return {right.data(), columns, 1, Stored::kBf16};
  }
};

void expect_same(const Numbers& sums, const Numbers& expected) {
  for (size_t i = 0; i < sums.size(); ++i) {
    ASSERT_TRUE(std::bit_cast<uint32_t>(sums[i]) ==
                    std::bit_cast<uint32_t>(expected[i]) ||
                (std::isnan(sums[i]) && std::isnan(expected[i])))
        << i << ": " << sums[i] << " for " << expected[i];
  }
}

/// By whatever the machine has.
void expect_product(const Product& product) {
  const Numbers expected = product.expected();
  everywhere([&] {
    Numbers sums(expected.size(), kNan);
    multiply_matrices(product.left_rows(), product.right_rows(),
                      product.columns, sums.data(), product.columns);
    expect_same(sums, expected);
  });
}

// Tiles of 14 x 32, blocks of 256 pairs and their tails, odd depths.
TEST(MultiplyPairs, IsAChainOfFusedProductsInOrder) {
  for (const auto& [m, k, n] : {std::array<int64_t, 3>{14, 256, 32},
                                {15, 257, 33},
                                {90, 600, 70},
                                {28, 1, 4096},
                                {20, 513, 64},
                                {200, 515, 40},
                                {13, 300, 64},
                                {300, 129, 31}}) {
    expect_product(Product(m, k, n));
  }
}

TEST(MultiplyPairs, KeepsWhatIsSmall) {
  // The least normal number, subnormal ones, and what their products are: all
  // that the first row sums up.
  for (const uint16_t small :
       Halves{0x0080, 0x0001, 0x8040, 0x2b7f, 0x2b80, 0x2000}) {
    Product product(16, 130, 40);
    std::fill_n(product.left.begin(), 130, uint16_t{0});
    product.left[7] = small;
    std::fill_n(product.right.begin() + 7 * 40, 20, uint16_t{0x3f80});
    product.right[7 * 40 + 30] = small;
    product.right[7 * 40 + 31] = 0x1f80;
    expect_product(product);
  }
}

TEST(MultiplyPairs, AddsUpWhatIsNotFinite) {
  Product product(16, 130, 40);
  product.left[3] = 0x7f80;
  product.left[130 + 9] = 0x7fc0;
  product.right[7] = 0xff80;
  product.left[260] = 0x7f7f;
  product.right[2] = 0x7f7f;
  expect_product(product);
}

TEST(MultiplyPairs, ReadsColumnsAndWritesAmongOthers) {
  const Product product(30, 141, 50);
  const Numbers expected = product.expected();
  Halves left(product.left.size());
  Halves right(product.right.size());
  for (size_t k = 0; k < 141; ++k) {
    for (size_t m = 0; m < 30; ++m)
      left[k * 30 + m] = product.left[m * 141 + k];
    for (size_t n = 0; n < 50; ++n) {
      right[n * 141 + k] = product.right[k * 50 + n];
    }
  }
  everywhere([&] {
    Numbers sums(30 * 60, -1);
    multiply_matrices(left_matrix({left.data(), 1, 30, Stored::kBf16}, 30, 141),
                      {right.data(), 1, 141, Stored::kBf16}, 50,
                      sums.data() + 5, 60);
    for (size_t i = 0; i < sums.size(); ++i) {
      const size_t column = i % 60;
      const bool inside = column >= 5 && column < 55;
      ASSERT_EQ(sums[i], inside ? expected[i / 60 * 50 + column - 5] : -1.0F);
    }
  });
}

TEST(MultiplyPairs, RunsWhereTheMachineDoes) {
  const Product product(30, 141, 50);
  Numbers sums(30 * 50);
  EXPECT_EQ(multiply_pairs(product.left_rows(), product.right_rows(), 50,
                           sums.data(), 50),
            has_pair_products());
  Product other = product;
  other.right.back() = 1;
  EXPECT_FALSE(multiply_pairs(other.left_rows(), other.right_rows(), 50,
                              sums.data(), 50));
}

TEST(PairPacking, FindsOneSmallNumber) {
  on_each_target([] {
    for (const uint16_t number : Halves{0x0000, 0x8000, 0x0001, 0x8001, 0x2b7f,
                                        0xab7f, 0x2b80, 0x7f80, 0xffff}) {
      for (size_t place = 0; place < 75; ++place) {
        Halves halves(75, 0x3f80);
        halves[place] = number;
        EXPECT_EQ(has_small(halves.data(), 75), is_small(number)) << number;
      }
    }
  });
  EXPECT_TRUE(is_small(0x8001));
  EXPECT_TRUE(is_small(0x2b7f));
  EXPECT_FALSE(is_small(0x2b80));
  EXPECT_FALSE(is_small(0x8000));
}

TEST(PairPacking, PutsTheFirstNumberIntoTheHighHalf) {
  const Halves halves = random_halves(150);
  on_each_target([&] {
    std::vector<uint32_t> pairs(75);
    pair_neighbours(halves.data(), 75, pairs.data());
    for (size_t i = 0; i < 75; ++i) {
      EXPECT_EQ(pairs[i], uint32_t{halves[2 * i]} << 16 | halves[2 * i + 1]);
    }
    pair_lines(halves.data(), halves.data() + 75, 75, pairs.data());
    for (size_t i = 0; i < 75; ++i) {
      EXPECT_EQ(pairs[i], uint32_t{halves[i]} << 16 | halves[75 + i]);
    }
  });
}

}  // namespace
}  // namespace hlo::cpu
