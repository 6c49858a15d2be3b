#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "backends/cpu/routines/make_routine.h"
#include "backends/cpu/routines/regions/comparator.h"
#include "backends/cpu/threads/share_loop.h"
#include "interpreter/verify/verify.h"

// Orders are worked out here by the standard library's stable sort, with
// comparisons written by hand.

namespace hlo::cpu {
namespace {

using Floats = std::vector<float>;
using Places = std::vector<int32_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// What JAX makes of sort.
constexpr const char* kJax = R"(
  zero = f32[] constant(0)
  nan = f32[] constant(nan)
  na = pred[] compare(a, a), direction=NE
  za = pred[] compare(a, zero), direction=EQ
  a0 = f32[] select(za, zero, a)
  a1 = f32[] select(na, nan, a0)
  nb = pred[] compare(b, b), direction=NE
  zb = pred[] compare(b, zero), direction=EQ
  b0 = f32[] select(zb, zero, b)
  b1 = f32[] select(nb, nan, b0)
  ROOT r = pred[] compare(a1, b1), direction=LT, type=TOTALORDER)";
constexpr const char* kLess = R"(
  ROOT r = pred[] compare(a, b), direction=LT)";
constexpr const char* kGreater = R"(
  ROOT r = pred[] compare(a, b), direction=GT)";
constexpr const char* kExchanged = R"(
  ROOT r = pred[] compare(b, a), direction=LT)";
constexpr const char* kTotal = R"(
  ROOT r = pred[] compare(a, b), direction=LT, type=TOTALORDER)";
constexpr const char* kByMagnitude = R"(
  x = f32[] abs(a)
  y = f32[] abs(b)
  ROOT r = pred[] compare(x, y), direction=LT)";
constexpr const char* kAlways = R"(
  ROOT r = pred[] constant(true))";
constexpr const char* kTwoKeys = R"(
  less = pred[] compare(a, b), direction=GT
  same = pred[] compare(a, b), direction=EQ
  next = pred[] compare(i, j), direction=LT
  both = pred[] and(next, same)
  ROOT r = pred[] or(less, both))";
constexpr const char* kOtherEquality = R"(
  less = pred[] compare(a, b), direction=LT, type=TOTALORDER
  same = pred[] compare(a, b), direction=EQ
  next = pred[] compare(i, j), direction=LT
  both = pred[] and(same, next)
  ROOT r = pred[] or(less, both))";

Module module_of(const std::string& comparator, const std::string& dims,
                 int along) {
  return verified_module(
      "before { a = f32[] parameter(0)\n"
      "  b = f32[] parameter(1)\n"
      "  i = s32[] parameter(2)\n"
      "  j = s32[] parameter(3)" +
      comparator + " }\nENTRY e { x = f32[" + dims +
      "] parameter(0)\n  i = s32[" + dims + "] parameter(1)\n  ROOT r = (f32[" +
      dims + "], s32[" + dims + "]) sort(x, i), dimensions={" +
      std::to_string(along) + "}, is_stable=true, to_apply=before }\n");
}

struct Sorted {
  Floats numbers;
  Places places;
};

Sorted sorted(const Module& module, const Floats& numbers,
              const Places& places) {
  const auto routine = make_routine(*module.entry->root);
  if (!routine) throw std::logic_error("no routine");
  Sorted result{Floats(numbers.size()), Places(places.size())};
  const std::byte* const from[] = {
      reinterpret_cast<const std::byte*>(numbers.data()),
      reinterpret_cast<const std::byte*>(places.data())};
  std::byte* const to[] = {reinterpret_cast<std::byte*>(result.numbers.data()),
                           reinterpret_cast<std::byte*>(result.places.data())};
  routine->run(from, to);
  return result;
}

Sorted sorted_line(const char* comparator, const Floats& numbers) {
  Places places(numbers.size());
  std::iota(places.begin(), places.end(), 0);
  return sorted(module_of(comparator, std::to_string(numbers.size()), 0),
                numbers, places);
}

template <typename Before>
Places expected(const Floats& numbers, const Before& before) {
  Places places(numbers.size());
  std::iota(places.begin(), places.end(), 0);
  std::ranges::stable_sort(places, [&](int32_t a, int32_t b) {
    return before(numbers[static_cast<size_t>(a)],
                  numbers[static_cast<size_t>(b)]);
  });
  return places;
}

/// Few different numbers, so that many are equal, and the ends of the range.
Floats numbers_of(int64_t count, bool with_nan) {
  std::mt19937 engine(static_cast<unsigned>(count));
  std::uniform_int_distribution<int> some(-300, 300);
  const Floats ends = {0.0F, -0.0F, kInf, -kInf, 1e-45F, -1e-45F};
  Floats numbers(static_cast<size_t>(count));
  for (size_t i = 0; i < numbers.size(); ++i) {
    const int chosen = some(engine);
    numbers[i] = std::abs(chosen) < 6
                     ? ends[static_cast<size_t>(std::abs(chosen))]
                     : static_cast<float>(chosen) / 7;
    if (with_nan && chosen == 299) numbers[i] = kNan;
    if (with_nan && chosen == -299) numbers[i] = -kNan;
  }
  return numbers;
}

bool jax_before(float a, float b) {
  return std::isnan(b) ? !std::isnan(a) : a < b;
}

bool total_before(float a, float b) {
  const auto number = [](float x) {
    const auto bits = std::bit_cast<int32_t>(x);
    return bits < 0 ? -1 - (bits & INT32_MAX) : bits;
  };
  return number(a) < number(b);
}

bool magnitude_before(float a, float b) { return std::abs(a) < std::abs(b); }

// Lines that are sorted by comparisons, by digits, and by several blocks.
constexpr int64_t kCounts[] = {1, 2, 3, 511, 513, 1025, 70'001, 300'000};

TEST(SortRoutine, PutsRowsInTheOrderOfKeys) {
  for (const int64_t count : kCounts) {
    const Floats some = numbers_of(count, /*with_nan=*/true);
    const Floats real = numbers_of(count, /*with_nan=*/false);
    EXPECT_EQ(sorted_line(kJax, some).places, expected(some, jax_before));
    EXPECT_EQ(sorted_line(kTotal, some).places, expected(some, total_before));
    EXPECT_EQ(sorted_line(kLess, real).places, expected(real, std::less{}));
    EXPECT_EQ(sorted_line(kGreater, real).places,
              expected(real, std::greater{}));
    EXPECT_EQ(sorted_line(kExchanged, real).places,
              expected(real, std::greater{}));
  }
}

TEST(SortRoutine, MergesByOtherComparators) {
  for (const int64_t count : kCounts) {
    const Floats real = numbers_of(count, /*with_nan=*/false);
    EXPECT_EQ(sorted_line(kByMagnitude, real).places,
              expected(real, magnitude_before));
  }
}

TEST(SortRoutine, GivesPermutationsForComparatorsThatAreNoOrder) {
  for (const int64_t count : {2, 3, 1000, 70'001}) {
    Places all(static_cast<size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    const Floats some = numbers_of(count, /*with_nan=*/true);
    for (const char* comparator : {kLess, kAlways, kByMagnitude}) {
      Places places = sorted_line(comparator, some).places;
      std::ranges::sort(places);
      EXPECT_EQ(places, all) << comparator;
    }
  }
}

// Neither comes before the other, which is an order: they stay where they are.
TEST(SortRoutine, LeavesNansByValueBesideEqualNumbers) {
  EXPECT_EQ(sorted_line(kLess, {1, kNan, 1}).places, (Places{0, 1, 2}));
  EXPECT_EQ(sorted_line(kGreater, {kNan, 1}).places, (Places{0, 1}));
}

TEST(SortRoutine, SortsBySeveralKeys) {
  const Sorted result = sorted(module_of(kTwoKeys, "6", 0),
                               {1, 2, 1, 2, 1, -0.0F}, {3, 9, 1, -9, 2, 0});
  EXPECT_EQ(result.numbers, (Floats{2, 2, 1, 1, 1, 0}));
  EXPECT_EQ(result.places, (Places{-9, 9, 1, 2, 3, 0}));
}

// By total order zeros differ, by value not: the last key is asked of equal
// ones only.
TEST(SortRoutine, HasNoKeysOfUnlikeComparisons) {
  const Module module = module_of(kOtherEquality, "6", 0);
  EXPECT_FALSE(
      compared_keys(*module.entry->root->get<Computation*>("to_apply")));
}

TEST(SortRoutine, SortsLinesOfEachDimension) {
  const Floats numbers = numbers_of(60, /*with_nan=*/false);
  for (const int along : {0, 1, 2}) {
    const int64_t dims[] = {3, 5, 4};
    const int64_t strides[] = {20, 4, 1};
    const Floats result =
        sorted(module_of(kLess, "3,5,4", along), numbers, Places(60)).numbers;
    for (int64_t i = 0; i < 60; ++i) {
      const int64_t place = i / strides[along] % dims[along];
      if (place == 0) continue;
      EXPECT_LE(result[static_cast<size_t>(i - strides[along])],
                result[static_cast<size_t>(i)]);
    }
  }
}

TEST(SortRoutine, GivesTheSameForAnyNumberOfThreads) {
  const Floats numbers = numbers_of(300'000, /*with_nan=*/true);
  for (const char* comparator : {kJax, kLess, kByMagnitude}) {
    const Places one = sorted_line(comparator, numbers).places;
    for (const int64_t count : {2, 3, 8}) {
      const ThreadCount threads(count);
      EXPECT_EQ(sorted_line(comparator, numbers).places, one);
    }
  }
}

template <typename T>
std::vector<T> sorted_integers(const std::string& type,
                               const std::vector<T>& numbers) {
  const std::string array = type + "[" + std::to_string(numbers.size()) + "]";
  const Module module = verified_module(
      "before { a = " + type + "[] parameter(0)\n  b = " + type +
      "[] parameter(1)" + kLess + " }\nENTRY e { x = " + array +
      " parameter(0)\n  ROOT r = " + array +
      " sort(x), dimensions={0}, to_apply=before }\n");
  std::vector<T> result(numbers.size());
  const std::byte* const from[] = {
      reinterpret_cast<const std::byte*>(numbers.data())};
  std::byte* const to[] = {reinterpret_cast<std::byte*>(result.data())};
  make_routine(*module.entry->root)->run(from, to);
  return result;
}

template <typename T>
void expect_sorted(const std::string& type) {
  std::mt19937_64 engine(7);
  for (const int64_t count : {100, 100'000}) {
    std::vector<T> numbers(static_cast<size_t>(count));
    for (T& number : numbers) number = static_cast<T>(engine());
    const std::vector<T> result = sorted_integers(type, numbers);
    std::ranges::sort(numbers);
    EXPECT_EQ(result, numbers) << type;
  }
}

TEST(SortRoutine, SortsIntegersOfEachWidth) {
  expect_sorted<int8_t>("s8");
  expect_sorted<uint8_t>("u8");
  expect_sorted<int16_t>("s16");
  expect_sorted<uint16_t>("u16");
  expect_sorted<int32_t>("s32");
  expect_sorted<uint32_t>("u32");
  expect_sorted<int64_t>("s64");
  expect_sorted<uint64_t>("u64");
}

}  // namespace
}  // namespace hlo::cpu
