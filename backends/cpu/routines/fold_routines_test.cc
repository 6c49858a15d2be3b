#include "backends/cpu/routines/fold_routines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "backends/cpu/routines/make_routine.h"
#include "backends/cpu/threads/share_loop.h"
#include "interpreter/verify/verify.h"

// What is expected is written as loops over elements, or worked out by hand.

namespace hlo::cpu {
namespace {

using Numbers = std::vector<int32_t>;
using Floats = std::vector<float>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

const std::byte* bytes(const auto& numbers) {
  return reinterpret_cast<const std::byte*>(numbers.data());
}

std::byte* bytes(auto& numbers) {
  return reinterpret_cast<std::byte*>(numbers.data());
}

void run(const Module& module, const std::vector<const std::byte*>& operands,
         const std::vector<std::byte*>& results) {
  make_routine(*module.entry->root)->run(operands, results);
}

Numbers random_numbers(int64_t count) {
  std::mt19937 engine(static_cast<unsigned>(count));
  Numbers numbers(static_cast<size_t>(count));
  for (int32_t& number : numbers) number = static_cast<int32_t>(engine());
  return numbers;
}

int32_t applied(const std::string& name, int32_t x, int32_t y) {
  if (name == "minimum") return std::min(x, y);
  if (name == "maximum") return std::max(x, y);
  const auto a = static_cast<uint32_t>(x);
  const auto b = static_cast<uint32_t>(y);
  return static_cast<int32_t>(name == "add"   ? a + b
                              : name == "and" ? (a & b)
                              : name == "or"  ? (a | b)
                                              : a * b);
}

std::string region(const std::string& name) {
  return "f { x = s32[] parameter(0)\n  y = s32[] parameter(1)\n"
         "  ROOT r = s32[] " +
         name + "(x, y) }\n";
}

struct Lines {
  int64_t outer, length, inner;

  int64_t count() const { return outer * length * inner; }

  std::string dims() const {
    return "s32[" + std::to_string(outer) + "," + std::to_string(length) + "," +
           std::to_string(inner) + "]";
  }

  size_t at(int64_t o, int64_t i, int64_t c) const {
    return static_cast<size_t>((o * length + i) * inner + c);
  }
};

// Lines shorter than lanes, of several blocks, and beside each other.
constexpr Lines kLines[] = {{3, 5, 1},      {1, 70'000, 1}, {2, 40'001, 1},
                            {500, 1000, 1}, {2, 30, 700},   {7, 1, 3}};

TEST(ReduceRoutine, CombinesIntegers) {
  for (const Lines& lines : kLines) {
    const Numbers numbers = random_numbers(lines.count());
    const Numbers init = {7};
    for (const std::string name :
         {"add", "multiply", "minimum", "maximum", "and", "or"}) {
      const auto count = static_cast<size_t>(lines.outer * lines.inner);
      Numbers expected(count, 7);
      for (int64_t o = 0; o < lines.outer; ++o) {
        for (int64_t i = 0; i < lines.length * lines.inner; ++i) {
          int32_t& own =
              expected[static_cast<size_t>(o * lines.inner + i % lines.inner)];
          own = applied(name, own, numbers[lines.at(o, 0, i)]);
        }
      }
      Numbers result(count);
      run(verified_module(region(name) + "ENTRY e { x = " + lines.dims() +
                          " parameter(0)\n  i = s32[] parameter(1)\n"
                          "  ROOT r = s32[" +
                          std::to_string(lines.outer) + "," +
                          std::to_string(lines.inner) +
                          "] reduce(x, i), dimensions={1}, to_apply=f }\n"),
          {bytes(numbers), bytes(init)}, {bytes(result)});
      EXPECT_EQ(result, expected) << name << " of " << lines.dims();
    }
  }
}

TEST(ScanRoutine, CombinesAllUpToEachPlaceAndFromItOn) {
  for (const Lines& lines : kLines) {
    if (lines.length == 1) continue;
    const Numbers numbers = random_numbers(lines.count());
    const Numbers init = {5};
    for (const bool reversed : {false, true}) {
      Numbers expected = numbers;
      for (int64_t o = 0; o < lines.outer; ++o) {
        for (int64_t c = 0; c < lines.inner; ++c) {
          int32_t sum = 5;
          for (int64_t k = 0; k < lines.length; ++k) {
            const int64_t i = reversed ? lines.length - 1 - k : k;
            sum = applied("add", sum, numbers[lines.at(o, i, c)]);
            expected[lines.at(o, i, c)] = sum;
          }
        }
      }
      const std::string last = std::to_string(lines.length - 1);
      const Module module = verified_module(
          region("add") + "ENTRY e { x = " + lines.dims() +
          " parameter(0)\n  i = s32[] parameter(1)\n  ROOT r = " +
          lines.dims() + " reduce-window(x, i), window={size=1x" +
          std::to_string(lines.length) + "x1 pad=0_0x" +
          (reversed ? "0_" + last : last + "_0") + "x0_0}, to_apply=f }\n");
      for (const int64_t threads : {1, 3}) {
        const ThreadCount count(threads);
        Numbers result(numbers.size());
        run(module, {bytes(numbers), bytes(init)}, {bytes(result)});
        EXPECT_EQ(result, expected) << lines.dims() << reversed;
      }
    }
  }
}

TEST(ReduceRoutine, FoldsDimensionsThatLieApart) {
  const Numbers numbers = random_numbers(6 * 5 * 7 * 3);
  const Numbers init = {-4};
  for (const std::string name : {"add", "minimum"}) {
    Numbers expected(15, init[0]);
    for (size_t i = 0; i < numbers.size(); ++i) {
      int32_t& own = expected[i / 21 % 5 * 3 + i % 3];
      own = applied(name, own, numbers[i]);
    }
    const Module module = verified_module(
        region(name) +
        "ENTRY e { x = s32[6,5,7,3] parameter(0)\n  i = s32[] parameter(1)\n"
        "  ROOT r = s32[5,3] reduce(x, i), dimensions={0,2}, to_apply=f }\n");
    Numbers result(expected.size());
    run(module, {bytes(numbers), bytes(init)}, {bytes(result)});
    EXPECT_EQ(result, expected) << name;
  }
}

TEST(ScanRoutine, LeavesOtherWindowsAlone) {
  for (const char* window :
       {"size=3 pad=2_0", "size=4 pad=2_1", "size=4 stride=2 pad=3_0"}) {
    const std::string result =
        std::string(window).find("stride") == std::string::npos ? "s32[4]"
                                                                : "s32[2]";
    const Module module =
        verified_module(region("add") +
                        "ENTRY e { x = s32[4] parameter(0)\n"
                        "  i = s32[] parameter(1)\n  ROOT r = " +
                        result + " reduce-window(x, i), window={" + window +
                        "}, to_apply=f }\n");
    EXPECT_FALSE(scan_routine(*module.entry->root)) << window;
    EXPECT_TRUE(make_routine(*module.entry->root)) << window;
  }
}

bool has_window_routine(const std::string& window, const std::string& result) {
  const Module module = verified_module(
      region("add") + "ENTRY e { x = s32[1000,10] parameter(0)\n" +
      "  i = s32[] parameter(1)\n  ROOT r = s32[1000," + result +
      "] reduce-window(x, i), window={" + window + "}, to_apply=f }\n");
  return make_routine(*module.entry->root).has_value();
}

// To fill rows that are padding but for a few numbers would take longer than
// all else, and their sizes can be beyond 64 bits.
TEST(WindowRoutine, LeavesRowsOfPaddingAlone) {
  EXPECT_TRUE(has_window_routine("size=1x3 pad=0_0x1_1", "10"));
  EXPECT_TRUE(
      has_window_routine("size=1x2 pad=0_0x90_0 rhs_dilate=1x90", "10"));
  EXPECT_FALSE(has_window_routine(
      "size=1x2 pad=0_0x1000000_0 rhs_dilate=1x1000000", "10"));
  EXPECT_FALSE(
      has_window_routine("size=1x2 pad=0_0x576460752303423488_0 "
                         "rhs_dilate=1x576460752303423488",
                         "10"));
  EXPECT_FALSE(has_window_routine("size=1x3 rhs_reversal=0x1", "8"));
}

/// What JAX makes of argmax (GT) and argmin (LT).
std::string extreme_text(const std::string& direction, const std::string& dims,
                         const std::string& rows, const std::string& places) {
  return R"(f { x = f32[] parameter(0)
  y = f32[] parameter(2)
  better = pred[] compare(x, y), direction=)" +
         direction + R"(
  nan = pred[] compare(x, x), direction=NE
  number = pred[] or(better, nan)
  a = f32[] select(number, x, y)
  same = pred[] compare(x, y), direction=EQ
  i = s32[] parameter(1)
  j = s32[] parameter(3)
  before = pred[] compare(i, j), direction=LT
  both = pred[] and(same, before)
  place = pred[] or(number, both)
  b = s32[] select(place, i, j)
  ROOT r = (f32[], s32[]) tuple(a, b) }
ENTRY e { x = f32[)" +
         dims + "] parameter(0)\n  g = s32[" + dims +
         "] parameter(1)\n  i = " + places +
         "\n  n = f32[] parameter(2)\n  z = s32[] parameter(3)\n"
         "  ROOT r = (f32[" +
         rows + "], s32[" + rows + "]) reduce(x, i, n, z), dimensions={1}, " +
         "to_apply=f }\n";
}

struct Selection {
  const char* what;
  Floats line;
  float number;
  int32_t place;
};

const Selection kLargest[] = {
    {"the first of equal ones", {1, 3, 2, 3}, 3, 1},
    {"the first NaN", {1, kNan, 9, kNan}, kNan, 1},
    {"the last of equal zeros, at the first place",
     {-1, 0.0F, -0.0F},
     -0.0F,
     1},
    {"init, before all others", {-kInf, -kInf}, -kInf, 0}};

TEST(ReduceRoutine, SelectsAsArgmaxDoes) {
  for (const Selection& fact : kLargest) {
    const std::string size = std::to_string(fact.line.size());
    const std::string iota = "s32[1," + size + "] iota(), iota_dimension=1";
    const std::string given = "s32[1," + size + "] copy(g)";
    Numbers counted(fact.line.size());
    std::iota(counted.begin(), counted.end(), 0);
    for (const std::string& places : {iota, given}) {
      Floats number(1);
      Numbers place(1);
      run(verified_module(extreme_text("GT", "1," + size, "1", places)),
          {bytes(fact.line), bytes(counted), bytes(Floats{-kInf}),
           bytes(Numbers{0})},
          {bytes(number), bytes(place)});
      EXPECT_EQ(std::bit_cast<uint32_t>(number[0]),
                std::bit_cast<uint32_t>(fact.number))
          << fact.what << places;
      EXPECT_EQ(place[0], fact.place) << fact.what << places;
    }
  }
}

TEST(ReduceRoutine, SelectsInLongLines) {
  Floats numbers(200'000);
  std::mt19937 engine(1);
  for (float& number : numbers) number = static_cast<float>(engine() % 50'000);
  Floats best(2);
  Numbers places(2);
  run(verified_module(extreme_text("LT", "2,100000", "2",
                                   "s32[2,100000] iota(), iota_dimension=1")),
      {bytes(numbers), nullptr, bytes(Floats{kInf}), bytes(Numbers{0})},
      {bytes(best), bytes(places)});
  for (size_t i : {size_t{0}, size_t{1}}) {
    const auto begin = numbers.begin() + static_cast<ptrdiff_t>(i * 100'000);
    EXPECT_EQ(places[i], std::min_element(begin, begin + 100'000) - begin);
  }
}

// x - y in order, of lines along the middle, for which there is no kernel.
TEST(ReduceRoutine, RunsOtherRegionsInOrder) {
  for (const Lines& lines : {Lines{2, 3, 2}, Lines{90, 11, 30}, {3, 4, 1}}) {
    const Numbers numbers = random_numbers(lines.count());
    const auto count = static_cast<size_t>(lines.outer * lines.inner);
    Numbers expected(count, 1);
    for (int64_t o = 0; o < lines.outer; ++o) {
      for (int64_t i = 0; i < lines.length * lines.inner; ++i) {
        int32_t& own =
            expected[static_cast<size_t>(o * lines.inner + i % lines.inner)];
        own = static_cast<int32_t>(
            static_cast<uint32_t>(numbers[lines.at(o, 0, i)]) -
            static_cast<uint32_t>(own));
      }
    }
    Numbers result(count);
    run(verified_module(
            "f { x = s32[] parameter(0)\n  y = s32[] parameter(1)\n"
            "  ROOT r = s32[] subtract(y, x) }\nENTRY e { x = " +
            lines.dims() +
            " parameter(0)\n  i = s32[] parameter(1)\n  ROOT r = s32[" +
            std::to_string(lines.outer) + "," + std::to_string(lines.inner) +
            "] reduce(x, i), dimensions={1}, to_apply=f }\n"),
        {bytes(numbers), bytes(Numbers{1})}, {bytes(result)});
    EXPECT_EQ(result, expected) << lines.dims();
  }
}

TEST(TopkRoutine, TakesTheFirstOnesOfEachLine) {
  for (const auto& [length, k] :
       {std::pair{5, 5}, std::pair{3000, 7}, std::pair{200'000, 300}}) {
    Floats numbers(static_cast<size_t>(2 * length));
    std::mt19937 engine(static_cast<unsigned>(length));
    // Many are equal.
    for (float& number : numbers) {
      number = static_cast<float>(static_cast<int32_t>(engine() % 999) - 500);
    }
    const std::string first = "[2," + std::to_string(k) + "]";
    Floats best(static_cast<size_t>(2 * k));
    Numbers places(best.size());
    run(verified_module("ENTRY e { x = f32[2," + std::to_string(length) +
                        "] parameter(0)\n  ROOT r = (f32" + first + ", s32" +
                        first + ") topk(x), k=" + std::to_string(k) +
                        ", largest=true }\n"),
        {bytes(numbers)}, {bytes(best), bytes(places)});
    for (int line = 0; line < 2; ++line) {
      const float* const own = numbers.data() + line * length;
      Numbers expected(static_cast<size_t>(length));
      std::iota(expected.begin(), expected.end(), 0);
      std::ranges::stable_sort(
          expected, [&](int32_t a, int32_t b) { return own[a] > own[b]; });
      for (int i = 0; i < k; ++i) {
        const auto at = static_cast<size_t>(line * k + i);
        ASSERT_EQ(places[at], expected[static_cast<size_t>(i)]);
        ASSERT_EQ(best[at], own[places[at]]);
      }
    }
  }
}

}  // namespace
}  // namespace hlo::cpu
