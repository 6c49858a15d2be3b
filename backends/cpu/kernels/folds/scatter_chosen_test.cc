#include "backends/cpu/kernels/folds/scatter_chosen.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"

// What is expected asks each tap of each place for its element, by the formula
// of a window, and adds small whole numbers.

namespace hlo::cpu {
namespace {

using Lines = std::vector<WindowLine>;

int64_t product(const Lines& lines, int64_t WindowLine::*size) {
  int64_t count = 1;
  for (const WindowLine& line : lines) count *= line.*size;
  return count;
}

int64_t element(const Lines& lines, int64_t place, int64_t tap) {
  int64_t at = 0;
  for (size_t d = lines.size(); d-- > 0;) {
    const WindowLine& line = lines[d];
    const int64_t own = place % line.output * line.stride - line.low +
                        tap % line.window * line.window_dilation;
    place /= line.output;
    tap /= line.window;
    if (own < 0 || own >= line.input) return -1;
    at += own * line.step;
  }
  return at;
}

bool holds(Choice choice, int x, int y) {
  return choice == Choice::kLess      ? x < y
         : choice == Choice::kAtMost  ? x <= y
         : choice == Choice::kGreater ? x > y
                                      : x >= y;
}

template <typename T>
void expect_scattered(ElementType type, Choice choice, const Lines& lines,
                      unsigned seed) {
  std::mt19937 engine(seed);
  const int64_t count = product(lines, &WindowLine::input);
  const int64_t places = product(lines, &WindowLine::output);
  const auto drawn = [&](int64_t n) {
    std::vector<int> numbers(static_cast<size_t>(n));
    for (int& number : numbers) number = static_cast<int>(engine() % 5);
    return numbers;
  };
  const std::vector<int> from = drawn(count);
  const std::vector<int> list = drawn(places);
  std::vector<int> sums(from.size(), 1);
  for (int64_t i = 0; i < places; ++i) {
    int64_t chosen = -1;
    for (int64_t k = 0; k < product(lines, &WindowLine::window); ++k) {
      const int64_t at = element(lines, i, k);
      if (at < 0) continue;
      const bool first = chosen < 0;
      if (first || !holds(choice, from[static_cast<size_t>(chosen)],
                          from[static_cast<size_t>(at)])) {
        chosen = at;
      }
    }
    if (chosen >= 0) {
      sums[static_cast<size_t>(chosen)] += list[static_cast<size_t>(i)];
    }
  }
  const auto as = [](const std::vector<int>& numbers) {
    std::vector<T> result;
    for (const int x : numbers) {
      if constexpr (std::is_arithmetic_v<T>) {
        result.push_back(static_cast<T>(x));
      } else {
        result.push_back(T(static_cast<float>(x)));
      }
    }
    return result;
  };
  const auto bytes = [](const std::vector<T>& numbers) {
    return reinterpret_cast<const std::byte*>(numbers.data());
  };
  const std::vector<T> x = as(from);
  const std::vector<T> y = as(list);
  const std::vector<T> init = as({1});
  const std::vector<T> expected = as(sums);
  for (const int64_t threads : {1, 3}) {
    const ThreadCount some(threads);
    std::vector<T> to(expected.size());
    ASSERT_TRUE(scatter_chosen(choice, Combine::kAdd, type, lines, bytes(x),
                               bytes(y), bytes(init),
                               reinterpret_cast<std::byte*>(to.data())));
    EXPECT_EQ(std::memcmp(to.data(), expected.data(), to.size() * sizeof(T)), 0)
        << "window " << seed;
  }
}

TEST(ScatterChosen, AddsWhereEachPlaceChooses) {
  std::mt19937 engine(1);
  const auto drawn = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(engine);
  };
  for (unsigned i = 0; i < 200; ++i) {
    Lines lines;
    for (int64_t rank = drawn(1, 3); rank > 0; --rank) {
      WindowLine line{.input = drawn(1, 12), .window = 1, .output = 1};
      line.output = line.input;
      if (drawn(0, 3) != 0) {
        line.window = drawn(1, 3);
        line.stride = drawn(1, 3);
        line.low = drawn(-1, 2);
        line.window_dilation = drawn(1, 2);
        line.output = drawn(1, 1 + line.input / line.stride);
      }
      lines.push_back(line);
    }
    int64_t step = 1;
    for (size_t d = lines.size(); d-- > 0;) {
      lines[d].step = step;
      step *= lines[d].input;
    }
    for (const Choice choice :
         {Choice::kLess, Choice::kAtMost, Choice::kGreater, Choice::kAtLeast}) {
      expect_scattered<float>(ElementType::kF32, choice, lines, i);
      expect_scattered<int8_t>(ElementType::kS8, choice, lines, i);
      expect_scattered<double>(ElementType::kF64, choice, lines, i);
      expect_scattered<Bf16>(ElementType::kBF16, choice, lines, i);
      expect_scattered<F16>(ElementType::kF16, choice, lines, i);
    }
  }
}

TEST(ScatterChosen, TakesNoComplexNumbers) {
  const WindowLine line{.input = 1, .window = 1, .output = 1, .step = 1};
  EXPECT_FALSE(scatter_chosen(Choice::kLess, Combine::kAdd, ElementType::kC64,
                              {&line, 1}, nullptr, nullptr, nullptr, nullptr));
}

}  // namespace
}  // namespace hlo::cpu
