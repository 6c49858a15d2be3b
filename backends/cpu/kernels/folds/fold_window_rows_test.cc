#include "backends/cpu/kernels/folds/fold_window_rows.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"

// What is expected asks each place of a window for its element, one after the
// other. Numbers are small and whole, so that sums and products are exact in
// any order.

namespace hlo::cpu {
namespace {

struct Window {
  std::vector<WindowLine> lines;

  int64_t count(int64_t WindowLine::*size) const {
    int64_t product = 1;
    for (const WindowLine& line : lines) product *= line.*size;
    return product;
  }

  /// Where the element of a tap at a place lies, or -1.
  int64_t element(int64_t place, int64_t tap) const {
    int64_t at = 0;
    for (size_t d = lines.size(); d-- > 0;) {
      const WindowLine& line = lines[d];
      const int64_t own = line.offset(place % line.output, tap % line.window);
      if (own < 0) return -1;
      at += own;
      place /= line.output;
      tap /= line.window;
    }
    return at;
  }
};

template <Combine kHow, typename T>
void expect_folded(const Window& window, ElementType type,
                   const std::vector<T>& from, T init) {
  const int64_t places = window.count(&WindowLine::output);
  const int64_t taps = window.count(&WindowLine::window);
  std::vector<T> expected(static_cast<size_t>(places), init);
  for (int64_t i = 0; i < places; ++i) {
    T& own = expected[static_cast<size_t>(i)];
    for (int64_t k = 0; k < taps; ++k) {
      const int64_t at = window.element(i, k);
      if (at >= 0) own = combined<kHow>(own, from[static_cast<size_t>(at)]);
    }
  }
  on_each_target([&] {
    std::vector<T> to(expected.size());
    ASSERT_TRUE(
        fold_window_rows(kHow, type, window.lines,
                         reinterpret_cast<const std::byte*>(from.data()),
                         reinterpret_cast<const std::byte*>(&init),
                         reinterpret_cast<std::byte*>(to.data())));
    EXPECT_EQ(std::memcmp(to.data(), expected.data(), to.size() * sizeof(T)),
              0);
  });
}

template <typename T>
std::vector<T> small_numbers(int64_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<T> numbers;
  for (int64_t i = 0; i < count; ++i) {
    const auto number = static_cast<int16_t>(engine() % 9) - 2;
    if constexpr (std::is_arithmetic_v<T>) {
      numbers.push_back(static_cast<T>(number));
    } else {
      numbers.push_back(static_cast<float>(number));
    }
  }
  return numbers;
}

/// A window of lines of some sizes, whose places cover the padded line.
Window drawn_window(std::mt19937& engine) {
  const auto drawn = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(engine);
  };
  Window window;
  for (int64_t rank = drawn(1, 3); rank > 0; --rank) {
    WindowLine line{.input = drawn(1, 40), .window = 1, .output = 1};
    if (drawn(0, 3) == 0) {
      line.output = line.input;
    } else {
      line.window = drawn(1, 4);
      line.stride = drawn(1, 3);
      line.low = drawn(-2, 4);
      line.window_dilation = drawn(1, 3);
      line.base_dilation = drawn(0, 2) == 0 ? drawn(2, 3) : 1;
      const int64_t padded =
          (line.input - 1) * line.base_dilation + 1 + line.low + drawn(-2, 4);
      const int64_t covered = (line.window - 1) * line.window_dilation + 1;
      line.output = padded < covered ? 1 : (padded - covered) / line.stride + 1;
    }
    window.lines.push_back(line);
  }
  int64_t step = 1;
  for (size_t d = window.lines.size(); d-- > 0;) {
    window.lines[d].step = step;
    step *= window.lines[d].input;
  }
  return window;
}

TEST(FoldWindowRows, FoldsWhatEachPlaceCovers) {
  std::mt19937 engine(1);
  for (unsigned i = 0; i < 250; ++i) {
    const Window window = drawn_window(engine);
    const int64_t count = window.count(&WindowLine::input);
    SCOPED_TRACE("window " + std::to_string(i));
    const auto floats = small_numbers<float>(count, i);
    expect_folded<Combine::kAdd>(window, ElementType::kF32, floats, 1.0F);
    expect_folded<Combine::kMaximum>(window, ElementType::kF32, floats, 1.0F);
    expect_folded<Combine::kMinimum>(window, ElementType::kF64,
                                     small_numbers<double>(count, i), 0.0);
    expect_folded<Combine::kMultiply>(window, ElementType::kF64,
                                      small_numbers<double>(count, i), 1.0);
    expect_folded<Combine::kMultiply>(window, ElementType::kU64,
                                      small_numbers<uint64_t>(count, i),
                                      uint64_t{3});
    expect_folded<Combine::kAnd>(window, ElementType::kS8,
                                 small_numbers<int8_t>(count, i), int8_t{6});
    expect_folded<Combine::kOr>(window, ElementType::kU16,
                                small_numbers<uint16_t>(count, i), uint16_t{8});
    expect_folded<Combine::kAdd>(window, ElementType::kC64,
                                 small_numbers<std::complex<float>>(count, i),
                                 {0, 2});
  }
}

TEST(FoldWindowRows, PaddingChangesNoZeroAndNoNan) {
  const Window window{
      {{.input = 2, .window = 3, .output = 4, .low = 2, .step = 1}}};
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  expect_folded<Combine::kAdd>(window, ElementType::kF32,
                               std::vector<float>{-0.0F, -0.0F}, -0.0F);
  expect_folded<Combine::kMaximum>(window, ElementType::kF32,
                                   std::vector<float>{kNone, -0.0F}, -9.0F);
  expect_folded<Combine::kAdd>(
      window, ElementType::kC64,
      std::vector<std::complex<float>>{{-0.0F, -0.0F}, {-0.0F, -0.0F}},
      std::complex<float>(-0.0F, -0.0F));
}

TEST(FoldWindowRows, SharesManyRows) {
  Window window{{{.input = 70, .window = 1, .output = 70, .step = 10000},
                 {.input = 100,
                  .window = 3,
                  .output = 50,
                  .stride = 2,
                  .low = 1,
                  .step = 100},
                 {.input = 100,
                  .window = 3,
                  .output = 50,
                  .stride = 2,
                  .low = 1,
                  .step = 1}}};
  expect_folded<Combine::kMaximum>(window, ElementType::kS32,
                                   small_numbers<int32_t>(700000, 1), -7);
  expect_folded<Combine::kAdd>(window, ElementType::kS8,
                               small_numbers<int8_t>(700000, 2), int8_t{5});
}

}  // namespace
}  // namespace hlo::cpu
