#include "backends/cpu/kernels/lanes/run_bit_ops.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

#include "backends/cpu/kernels/testing/computed.h"
#include "backends/cpu/kernels/testing/everywhere.h"

// Expected is what the pages of the operations say of single numbers.

namespace hlo::cpu {
namespace {

/// Numbers with one bit and all but one, around them, and of any length.
template <class T>
std::vector<T> numbers(uint32_t seed) {
  std::vector<T> found;
  for (int shift = 0; shift < 8 * static_cast<int>(sizeof(T)); ++shift) {
    const T bit = T{1} << shift;
    for (const T x : {bit, bit - 1, bit + 1, T{0} - bit}) found.push_back(x);
  }
  std::mt19937_64 engine(seed);
  while (found.size() < 4099) {  // of no vector a multiple
    found.push_back(static_cast<T>(engine() >> (engine() % 64)));
  }
  return found;
}

/// Amounts up to and beyond the width, and some that only have high bits.
template <class T>
std::vector<T> amounts(size_t count) {
  constexpr T kWidth = 8 * sizeof(T);
  std::vector<T> found;
  for (size_t i = 0; i < count; ++i) {
    const T near = static_cast<T>(i * 7 % (kWidth + 5));
    found.push_back(i % 11 == 0 ? T{1} << (i % kWidth) : near);
  }
  return found;
}

template <class T, class F>
void expect_shifts(Code code, F f) {
  const std::vector<T> x = numbers<T>(5);
  const std::vector<T> amount = amounts<T>(x.size());
  on_each_target([&] {
    const std::vector<T> y = computed<T>(code, x, amount);
    for (size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(f(x[i], amount[i]), y[i]) << x[i] << " by " << amount[i];
    }
  });
}

template <class T, class F>
void expect_counts(Code code, F f) {
  std::vector<T> x = numbers<T>(6);
  x.push_back(0);
  on_each_target([&] {
    const std::vector<T> y = computed<T>(code, x);
    for (size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(static_cast<T>(f(x[i])), y[i]) << x[i];
    }
  });
}

/// The three shifts of numbers of T; S is the same with a sign.
template <class T, class S>
void expect_all_shifts(Code left, Code logical, Code arithmetic) {
  constexpr T kWidth = 8 * sizeof(T);
  expect_shifts<T>(left, [](T x, T n) { return n < kWidth ? x << n : T{0}; });
  expect_shifts<T>(logical,
                   [](T x, T n) { return n < kWidth ? x >> n : T{0}; });
  expect_shifts<T>(arithmetic, [](T x, T n) {
    const S number = static_cast<S>(x);
    return static_cast<T>(n < kWidth ? number >> n
                                     : (number < 0 ? S{-1} : S{0}));
  });
}

TEST(RunBitOps, Shift) {
  expect_all_shifts<uint32_t, int32_t>(Code::kShiftLeftS32,
                                       Code::kShiftRightLogicalS32,
                                       Code::kShiftRightArithmeticS32);
  expect_all_shifts<uint64_t, int64_t>(Code::kShiftLeftS64,
                                       Code::kShiftRightLogicalS64,
                                       Code::kShiftRightArithmeticS64);
}

TEST(RunBitOps, CountBits) {
  const auto ones = [](auto x) { return std::popcount(x); };
  const auto zeros = [](auto x) { return std::countl_zero(x); };
  expect_counts<uint32_t>(Code::kPopcntS32, ones);
  expect_counts<uint64_t>(Code::kPopcntS64, ones);
  expect_counts<uint32_t>(Code::kLeadingZerosS32, zeros);
  expect_counts<uint64_t>(Code::kLeadingZerosS64, zeros);
}

}  // namespace
}  // namespace hlo::cpu
