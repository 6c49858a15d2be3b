#include "backends/cpu/kernels/lanes/run_wide_ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "backends/cpu/kernels/testing/all_doubles.h"
#include "backends/cpu/kernels/testing/computed.h"
#include "backends/cpu/kernels/testing/everywhere.h"
#include "backends/cpu/kernels/tiles/tile_program.h"

// Expected are the host's operations on single numbers, and conversions by
// their definition in long double, which has all numbers of 64 bits.

namespace hlo::cpu {
namespace {

using Longs = std::vector<int64_t>;

template <class T>
bool same(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(x)) return std::isnan(y);
  }
  return std::memcmp(&x, &y, sizeof(T)) == 0;
}

/// Holds the operation to what f makes of single numbers.
template <class To, class F, class First, class... From>
void expect_each(Code code, F f, const std::vector<First>& first,
                 const std::vector<From>&... others) {
  on_each_target([&] {
    const std::vector<To> y = computed<To>(code, first, others...);
    for (size_t i = 0; i < first.size(); ++i) {
      const auto exact = static_cast<To>(f(first[i], others[i]...));
      ASSERT_TRUE(same(exact, y[i]))
          << "code " << int{static_cast<uint8_t>(code)} << ", element " << i
          << ": " << +first[i] << " gives " << +y[i] << " instead of "
          << +exact;
    }
  });
}

Longs all_longs() {
  Longs numbers;
  for (int shift = 0; shift < 64; ++shift) {
    for (int64_t beside = -2; beside <= 2; ++beside) {
      const uint64_t number =
          (uint64_t{1} << shift) + static_cast<uint64_t>(beside);
      numbers.push_back(static_cast<int64_t>(number));
      numbers.push_back(static_cast<int64_t>(uint64_t{0} - number));
    }
  }
  std::mt19937_64 engine(2);
  for (int i = 0; i < 20000; ++i) {
    numbers.push_back(static_cast<int64_t>(engine() >> (engine() % 64)));
    numbers.push_back(-numbers.back());
  }
  return numbers;
}

template <class To, class From>
std::vector<To> cast(const std::vector<From>& numbers) {
  std::vector<To> result;
  for (const From x : numbers) result.push_back(static_cast<To>(x));
  return result;
}

/// The numbers in another order.
template <class T>
std::vector<T> shuffled(std::vector<T> numbers) {
  std::mt19937_64 engine(3);
  std::ranges::shuffle(numbers, engine);
  return numbers;
}

double larger(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return kWideNan;
  return x > y || (x == y && !std::signbit(x)) ? x : y;
}

double sign_of(double x) {
  return x == 0 || std::isnan(x) ? x : std::copysign(1.0, x);
}

TEST(RunWideOps, ComputesF64AsTheHost) {
  const Doubles x = all_doubles();
  Doubles y = shuffled(x);
  std::copy_n(x.begin(), 1000, y.begin());  // equal ones
  y[0] = -0.0;
  y[1] = 0.0;
  expect_each<double>(Code::kAddF64, std::plus(), x, y);
  expect_each<double>(Code::kSubtractF64, std::minus(), x, y);
  expect_each<double>(Code::kMultiplyF64, std::multiplies(), x, y);
  expect_each<double>(Code::kDivideF64, std::divides(), x, y);
  expect_each<double>(Code::kMaximumF64, larger, x, y);
  expect_each<double>(
      Code::kMinimumF64, [](double a, double b) { return -larger(-a, -b); }, x,
      y);
  expect_each<double>(Code::kNegateF64, std::negate(), x);
  expect_each<double>(
      Code::kAbsF64, [](double a) { return std::abs(a); }, x);
  expect_each<double>(
      Code::kSqrtF64, [](double a) { return std::sqrt(a); }, x);
  expect_each<double>(Code::kSignF64, sign_of, x);
  expect_each<double>(
      Code::kFloorF64, [](double a) { return std::floor(a); }, x);
  expect_each<double>(
      Code::kCeilF64, [](double a) { return std::ceil(a); }, x);
  expect_each<double>(
      Code::kRoundEvenF64, [](double a) { return std::nearbyint(a); }, x);
  expect_each<uint8_t>(Code::kEqualF64, std::equal_to(), x, y);
  expect_each<uint8_t>(Code::kNotEqualF64, std::not_equal_to(), x, y);
  expect_each<uint8_t>(Code::kLessF64, std::less(), x, y);
  expect_each<uint8_t>(Code::kLessEqualF64, std::less_equal(), x, y);
  expect_each<uint8_t>(
      Code::kIsFiniteF64, [](double a) { return std::isfinite(a); }, x);
  expect_each<uint8_t>(
      Code::kIsFiniteF32, [](float a) { return std::isfinite(a); },
      cast<float>(x));
  expect_each<uint8_t>(
      Code::kIsNotZeroF64, [](double a) { return a != 0; }, x);
}

TEST(RunWideOps, ComputesIntegersAsTheHost) {
  const Longs x = all_longs();
  Longs y = shuffled(x);
  std::copy_n(x.begin(), 1000, y.begin());
  const auto u = cast<uint64_t>(x);
  const auto v = cast<uint64_t>(y);
  expect_each<uint64_t>(Code::kAddS64, std::plus(), u, v);
  expect_each<uint64_t>(Code::kSubtractS64, std::minus(), u, v);
  expect_each<uint64_t>(Code::kMultiplyS64, std::multiplies(), u, v);
  expect_each<int64_t>(Code::kMaximumS64, std::ranges::max, x, y);
  expect_each<int64_t>(Code::kMinimumS64, std::ranges::min, x, y);
  expect_each<uint64_t>(Code::kMaximumU64, std::ranges::max, u, v);
  expect_each<uint64_t>(Code::kMinimumU64, std::ranges::min, u, v);
  expect_each<uint64_t>(Code::kNegateS64, std::negate(), u);
  expect_each<uint64_t>(
      Code::kAbsS64, [](uint64_t a) { return a >> 63 != 0 ? -a : a; }, u);
  expect_each<uint64_t>(Code::kAnd64, std::bit_and(), u, v);
  expect_each<uint64_t>(Code::kOr64, std::bit_or(), u, v);
  expect_each<uint64_t>(Code::kXor64, std::bit_xor(), u, v);
  expect_each<uint64_t>(Code::kNot64, std::bit_not(), u);
  expect_each<uint64_t>(Code::kCopy64, std::identity(), u);
  expect_each<uint8_t>(Code::kEqualS64, std::equal_to(), x, y);
  expect_each<uint8_t>(Code::kNotEqualS64, std::not_equal_to(), x, y);
  expect_each<uint8_t>(Code::kLessS64, std::less(), x, y);
  expect_each<uint8_t>(Code::kLessEqualS64, std::less_equal(), x, y);
  expect_each<uint8_t>(Code::kLessU64, std::less(), u, v);
  expect_each<uint8_t>(Code::kLessEqualU64, std::less_equal(), u, v);
  expect_each<uint8_t>(
      Code::kIsNotZeroS64, [](int64_t a) { return a != 0; }, x);
}

TEST(RunWideOps, ComputesUnsignedWordsAsTheHost) {
  const auto x = cast<uint32_t>(all_longs());
  auto y = shuffled(x);
  std::copy_n(x.begin(), 1000, y.begin());
  expect_each<uint32_t>(Code::kMaximumU32, std::ranges::max, x, y);
  expect_each<uint32_t>(Code::kMinimumU32, std::ranges::min, x, y);
  expect_each<uint8_t>(Code::kLessU32, std::less(), x, y);
  expect_each<uint8_t>(Code::kLessEqualU32, std::less_equal(), x, y);
  expect_each<uint32_t>(
      Code::kAbsS32, [](uint32_t a) { return a >> 31 != 0 ? -a : a; }, x);
}

TEST(RunWideOps, SelectsByLanesOfHalfTheWidth) {
  const Longs x = all_longs();
  const Longs y = shuffled(x);
  std::vector<uint8_t> chosen;
  for (const int64_t a : y) chosen.push_back(a % 3 == 0 ? 1 : 0);
  expect_each<int64_t>(
      Code::kSelect64,
      [](uint8_t c, int64_t a, int64_t b) { return c != 0 ? a : b; }, chosen, x,
      y);
}

/// Towards zero; the nearest end beyond the range, 0 for NaN.
template <class To>
To whole_of(double x) {
  using Ends = std::numeric_limits<To>;
  if (std::isnan(x)) return 0;
  if (x >= static_cast<long double>(Ends::max())) return Ends::max();
  if (x <= static_cast<long double>(Ends::min())) return Ends::min();
  return static_cast<To>(x);
}

/// The odd one of the two numbers around an exact one that is none.
template <class To, class Word>
To odd_of(long double exact) {
  const auto near = static_cast<To>(exact);
  if (static_cast<long double>(near) == exact || std::isnan(near)) return near;
  if ((std::bit_cast<Word>(near) & 1U) != 0) return near;
  const bool is_above = static_cast<long double>(near) > exact;
  constexpr To kEnd = std::numeric_limits<To>::infinity();
  return std::nextafter(near, is_above ? -kEnd : kEnd);
}

TEST(RunWideOps, Converts) {
  const Doubles x = all_doubles();
  const auto single = [](double a) { return static_cast<float>(a); };
  expect_each<float>(Code::kF64ToF32, single, x);
  expect_each<float>(Code::kF64ToOddF32, odd_of<float, uint32_t>, x);
  expect_each<int32_t>(Code::kF64ToS32, whole_of<int32_t>, x);
  expect_each<uint32_t>(Code::kF64ToU32, whole_of<uint32_t>, x);
  expect_each<int64_t>(Code::kF64ToS64, whole_of<int64_t>, x);
  const auto floats = cast<float>(x);
  expect_each<double>(
      Code::kF32ToF64, [](float a) { return double{a}; }, floats);
  const Longs longs = all_longs();
  expect_each<double>(
      Code::kS64ToF64, [](int64_t a) { return static_cast<double>(a); }, longs);
  expect_each<double>(
      Code::kS64ToOddF64,
      [](int64_t a) {
        return odd_of<double, uint64_t>(static_cast<long double>(a));
      },
      longs);
  expect_each<int32_t>(Code::kS64ToS32, std::identity(), longs);
  const auto ints = cast<int32_t>(longs);
  const auto words = cast<uint32_t>(longs);
  expect_each<double>(Code::kS32ToF64, std::identity(), ints);
  expect_each<double>(Code::kU32ToF64, std::identity(), words);
  expect_each<int64_t>(Code::kS32ToS64, std::identity(), ints);
  expect_each<int64_t>(Code::kU32ToS64, std::identity(), words);
}

/// (x + y) of two views with a number of f32 more, as f32: lanes of both widths
/// in one pass.
Longs run_views(const View& view, const Longs& memory, int64_t count) {
  TileProgram program;
  program.lane_bytes = 8;
  program.count = count;
  program.result = Stored::kWide;
  program.inputs = {{view, Stored::kWide},
                    {View::dense({count}), Stored::kWord}};
  program.ops = {{.code = Code::kS32ToS64, .out = 2, .operands = {1}},
                 {.code = Code::kAddS64, .out = 3, .operands = {0, 2}}};
  program.registers = 4;
  std::vector<int32_t> own(static_cast<size_t>(count));
  for (size_t i = 0; i < own.size(); ++i) own[i] = -static_cast<int32_t>(i);
  const std::byte* const inputs[] = {
      reinterpret_cast<const std::byte*>(memory.data()),
      reinterpret_cast<const std::byte*>(own.data())};
  Longs result(own.size());
  run_tiles(program, inputs, reinterpret_cast<std::byte*>(result.data()));
  return result;
}

TEST(RunWideOps, ReadsViews) {
  struct Case {
    View view;
    int64_t count;
    int64_t (*place)(int64_t element);
  };

  const Case cases[] = {
      {View::dense({5000}), 5000, [](int64_t i) { return i; }},
      {{.dims = {5003}, .strides = {1}, .offset = 17},
       5003,
       [](int64_t i) { return i + 17; }},
      {{.dims = {3000}, .strides = {0}, .offset = 9},
       3000,
       [](int64_t) { return int64_t{9}; }},
      {{.dims = {40, 100}, .strides = {0, 1}, .offset = 2},
       4000,
       [](int64_t i) { return i % 100 + 2; }},
      {{.dims = {50, 1024}, .strides = {3, 0}, .offset = 0},
       51200,
       [](int64_t i) { return i / 1024 * 3; }},
      {{.dims = {60, 7}, .strides = {7, 0}, .offset = 1},
       420,
       [](int64_t i) { return i / 7 * 7 + 1; }},
      {{.dims = {70, 31}, .strides = {1, 70}, .offset = 0},
       2170,
       [](int64_t i) { return i / 31 + i % 31 * 70; }},
  };
  Longs memory(60000);
  for (size_t i = 0; i < memory.size(); ++i) {
    memory[i] = static_cast<int64_t>(i) << 33;
  }
  for (const Case& one : cases) {
    everywhere([&] {
      const Longs y = run_views(one.view, memory, one.count);
      for (int64_t i = 0; i < one.count; ++i) {
        const int64_t exact = (one.place(i) << 33) - i;
        ASSERT_EQ(y[static_cast<size_t>(i)], exact) << i;
      }
    });
  }
}

}  // namespace
}  // namespace hlo::cpu
