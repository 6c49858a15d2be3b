#include "backends/cpu/kernels/other_products/multiply_numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"

// What is expected is one sum after the other, in the order of its terms.

namespace hlo::cpu {
namespace {

template <typename T>
std::vector<T> drawn(int64_t count, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<T> numbers;
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_integral_v<T>) {
      numbers.push_back(static_cast<T>(engine()));
    } else if constexpr (std::is_floating_point_v<T>) {
      numbers.push_back(normal(engine));
    } else {
      using Part = typename T::value_type;
      numbers.emplace_back(static_cast<Part>(normal(engine)),
                           static_cast<Part>(normal(engine)));
    }
  }
  return numbers;
}

template <typename T>
T with_product(T sum, T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fma(x, y, sum);
  } else if constexpr (std::is_integral_v<T>) {
    return sum + x * y;
  } else {
    return {sum.real() + (x.real() * y.real() - x.imag() * y.imag()),
            sum.imag() + (x.real() * y.imag() + x.imag() * y.real())};
  }
}

template <typename T>
void expect_product(ElementType type, const ProductSizes& sizes) {
  const auto& [batches, rows, depth, columns] = sizes;
  const auto left = drawn<T>(batches * rows * depth, 1);
  const auto right = drawn<T>(batches * depth * columns, 2);
  std::vector<T> expected;
  for (int64_t b = 0; b < batches; ++b) {
    for (int64_t m = 0; m < rows; ++m) {
      for (int64_t n = 0; n < columns; ++n) {
        T sum{};
        for (int64_t k = 0; k < depth; ++k) {
          const auto x = static_cast<size_t>((b * rows + m) * depth + k);
          const auto y = static_cast<size_t>((b * depth + k) * columns + n);
          sum = with_product(sum, left[x], right[y]);
        }
        expected.push_back(sum);
      }
    }
  }
  everywhere([&] {
    std::vector<T> result(expected.size());
    multiply_numbers(type, sizes,
                     reinterpret_cast<const std::byte*>(left.data()),
                     reinterpret_cast<const std::byte*>(right.data()),
                     reinterpret_cast<std::byte*>(result.data()));
    EXPECT_EQ(
        std::memcmp(result.data(), expected.data(), result.size() * sizeof(T)),
        0)
        << sizes.rows << " x " << sizes.depth << " x " << sizes.columns;
  });
}

TEST(MultiplyNumbers, SumsInOrder) {
  const ProductSizes all[] = {{1, 1, 1, 1},    {2, 3, 5, 7},    {1, 4, 16, 8},
                              {3, 5, 17, 9},   {1, 8, 3, 16},   {2, 13, 33, 31},
                              {1, 1, 100, 3},  {1, 100, 1, 17}, {4, 2, 2, 2},
                              {2, 33, 6, 300}, {1, 19, 2, 1100}};
  for (const ProductSizes& sizes : all) {
    expect_product<double>(ElementType::kF64, sizes);
    expect_product<uint32_t>(ElementType::kS32, sizes);
    expect_product<uint32_t>(ElementType::kU32, sizes);
    expect_product<uint64_t>(ElementType::kS64, sizes);
    expect_product<uint64_t>(ElementType::kU64, sizes);
    expect_product<std::complex<float>>(ElementType::kC64, sizes);
    expect_product<std::complex<double>>(ElementType::kC128, sizes);
  }
}

TEST(MultiplyNumbers, TakesNoOtherTypes) {
  using enum ElementType;
  for (const ElementType type : {kF32, kBF16, kF16, kS8, kU16, kPred}) {
    EXPECT_FALSE(multiplies(type));
  }
}

}  // namespace
}  // namespace hlo::cpu
