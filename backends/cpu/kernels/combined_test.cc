#include "backends/cpu/kernels/combined.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <limits>
#include <vector>

namespace hlo::cpu {
namespace {

constexpr std::array kAll = {
    Combine::kSecond,  Combine::kAdd, Combine::kMultiply, Combine::kMinimum,
    Combine::kMaximum, Combine::kAnd, Combine::kOr};

/// Whether there are loops for the type, for each combination of kAll.
template <bool kShort>
std::vector<bool> loops_of(ElementType type) {
  std::vector<bool> found;
  for (const Combine how : kAll) {
    found.push_back(with_loops<kShort>(how, type, [](auto, auto) {}));
  }
  return found;
}

TEST(Combined, HasLoopsForAllThatRegionsCombine) {
  using enum ElementType;
  for (const ElementType type :
       {kPred, kS8, kU8, kS16, kU16, kS32, kU32, kS64, kU64}) {
    EXPECT_EQ(loops_of<false>(type), std::vector<bool>(7, true));
  }
  const std::vector<bool> floats = {1, 1, 1, 1, 1, 0, 0};
  for (const ElementType type : {kF32, kF64}) {
    EXPECT_EQ(loops_of<false>(type), floats);
  }
  for (const ElementType type : {kBF16, kF16}) {
    EXPECT_EQ(loops_of<true>(type), floats);
    // Words are moved, and no number is rounded.
    EXPECT_EQ(loops_of<false>(type), (std::vector<bool>{1, 0, 0, 0, 0, 0, 0}));
  }
  for (const ElementType type : {kC64, kC128}) {
    EXPECT_EQ(loops_of<false>(type), (std::vector<bool>{1, 1, 1, 0, 0, 0, 0}));
  }
  EXPECT_EQ(loops_of<true>(kS4), std::vector<bool>(7, false));
}

/// What the loops make of two numbers of the type, which have its size.
template <typename T>
T by_loops(Combine how, ElementType type, T x, T y) {
  T result{};
  with_loops<true>(how, type, [&](auto number, auto constant) {
    using Own = decltype(number);
    if constexpr (sizeof(Own) == sizeof(T)) {
      result = std::bit_cast<T>(combined<decltype(constant)::value>(
          std::bit_cast<Own>(x), std::bit_cast<Own>(y)));
    } else {
      ADD_FAILURE() << "of another size";
    }
  });
  return result;
}

template <typename T>
void expect_own(ElementType type) {
  using Limits = std::numeric_limits<T>;
  const std::array<T, 6> numbers = {
      Limits::lowest(), Limits::max(), T{0}, T{1}, T(-1), T{100}};
  for (const T x : numbers) {
    for (const T y : numbers) {
      for (const Combine how : kAll) {
        T own{};
        with_combine(how, [&](auto constant) {
          own = combined<decltype(constant)::value>(x, y);
        });
        if (with_loops<true>(how, type, [](auto, auto) {})) {
          EXPECT_EQ(by_loops(how, type, x, y), own);
        }
      }
    }
  }
}

TEST(Combined, LoopsOfOtherTypesGiveTheSameBits) {
  expect_own<int8_t>(ElementType::kS8);
  expect_own<int16_t>(ElementType::kS16);
  expect_own<int32_t>(ElementType::kS32);
  expect_own<int64_t>(ElementType::kS64);
  expect_own<float>(ElementType::kF32);
  expect_own<double>(ElementType::kF64);
}

}  // namespace
}  // namespace hlo::cpu
