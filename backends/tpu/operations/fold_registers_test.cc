#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "backends/tpu/testing/run_tpu.h"

namespace hlo::tpu {
namespace {

using Floats = std::vector<float>;

constexpr const char* kRegions = R"(
  add { a = f32[] parameter(0)  b = f32[] parameter(1)
        ROOT c = f32[] add(a, b) }
  subtract { a = f32[] parameter(0)  b = f32[] parameter(1)
             ROOT c = f32[] subtract(a, b) }
  maximum { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT c = f32[] maximum(a, b) }
  latest { a = f32[] parameter(0)  i = s32[] parameter(1)
           b = f32[] parameter(2)  j = s32[] parameter(3)
           is_larger = pred[] compare(b, a), direction=GE
           x = f32[] select(is_larger, b, a)
           k = s32[] select(is_larger, j, i)
           ROOT r = (f32[], s32[]) tuple(x, k) }
)";

Floats run(const std::string& lines, size_t leaf = 0) {
  return run_program(kRegions + ("ENTRY main {\n" + lines + "}\n"),
                     "tpu:", leaf);
}

/// The window slides over {1, 2, 3, 4}; sums of its cells.
Floats window_sums(const std::string& window, int64_t places) {
  return run(fmt::format(R"(
    x = f32[4] constant({{1, 2, 3, 4}})
    z = f32[] constant(0)
    ROOT r = f32[{}] reduce-window(x, z), window={{{}}}, to_apply=add
  )",
                         places, window));
}

TEST(TpuFold, SumsRowsOfManyTilesInAnyLayout) {
  for (const char* layout : {"", "{0,1}", "{1,0:T(8,128)}", "{0,1:T(2,128)}",
                             "{1,0:T(4,128)(2,1)}", "{1,0:T(*,100)}"}) {
    const Floats sums = run(fmt::format(R"(
      x = f32[300,257]{} iota(), iota_dimension=0
      z = f32[] constant(0)
      ROOT r = f32[300] reduce(x, z), dimensions={{1}}, to_apply=add
    )",
                                        layout));
    ASSERT_EQ(sums.size(), 300U) << layout;
    for (size_t i = 0; i < sums.size(); ++i) {
      ASSERT_EQ(sums[i], 257.0F * static_cast<float>(i)) << layout;
    }
  }
}

// One after the other in f32, both ones would be lost.
TEST(TpuFold, RoundsSumsOnce) {
  EXPECT_EQ(run(R"(
    x = f32[3] constant({16777216, 1, 1})
    z = f32[] constant(0)
    ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=add
  )"),
            Floats{16777218.0F});
}

TEST(TpuFold, FoldsInOrderFromTheInitialValue) {
  EXPECT_EQ(run(R"(
    x = f32[3] constant({1, 2, 4})
    z = f32[] constant(10)
    ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=subtract
  )"),
            Floats{3.0F});
}

TEST(TpuFold, OfNothingIsTheInitialValue) {
  const char* const kProgram = R"(
    x = f32[3,0] constant({{}, {}, {}})
    z = f32[] constant(-0)
    ROOT r = f32[3] reduce(x, z), dimensions={1}, to_apply=add
  )";
  for (const float value : run(kProgram)) {
    EXPECT_EQ(value, 0);
    EXPECT_TRUE(std::signbit(value));
  }
}

TEST(TpuFold, KeepsNanAndInfinities) {
  const Floats values = run(R"(
    x = f32[3,2] constant({{nan, 1}, {inf, 1}, {inf, -inf}})
    z = f32[] constant(0)
    ROOT r = f32[3] reduce(x, z), dimensions={1}, to_apply=add
  )");
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(values[1], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(values[2]));
}

TEST(TpuFold, FoldsSeveralArraysTogether) {
  const char* const kProgram = R"(
    x = f32[2,1025] iota(), iota_dimension=1
    half = f32[] constant(512)
    c = f32[2,1025] broadcast(half), dimensions={}
    low = f32[2,1025] minimum(x, c)
    i = s32[2,1025] iota(), iota_dimension=1
    first = f32[] constant(-1)
    none = s32[] constant(-1)
    r = (f32[2], s32[2]) reduce(low, i, first, none), dimensions={1}, to_apply=latest
    value = f32[2] get-tuple-element(r), index=0
    at = s32[2] get-tuple-element(r), index=1
    place = f32[2] convert(at)
    ROOT t = (f32[2], f32[2]) tuple(value, place)
  )";
  EXPECT_EQ(run(kProgram, 0), (Floats{512, 512}));
  EXPECT_EQ(run(kProgram, 1), (Floats{1024, 1024}));
}

TEST(TpuFold, SlidesWindows) {
  EXPECT_EQ(window_sums("size=2", 3), (Floats{3, 5, 7}));
  EXPECT_EQ(window_sums("size=2 pad=1_1", 5), (Floats{1, 3, 5, 7, 4}));
  EXPECT_EQ(window_sums("size=2 stride=2", 2), (Floats{3, 7}));
  EXPECT_EQ(window_sums("size=2 rhs_dilate=3", 1), (Floats{5}));
  EXPECT_EQ(window_sums("size=2 lhs_dilate=2", 6), (Floats{1, 2, 2, 3, 3, 4}));
  EXPECT_EQ(window_sums("size=4 pad=3_0", 4), (Floats{1, 3, 6, 10}));
}

TEST(TpuFold, SlidesAWindowThatBeginsBeforeTheArray) {
  EXPECT_EQ(window_sums("size=5 pad=1_0", 1), Floats{10});
}

// What f64 loses of the one comes back when the large number goes.
TEST(TpuFold, KeepsWhatF64Loses) {
  EXPECT_EQ(run(R"(
    x = f32[3] constant({1152921504606846976, 1, -1152921504606846976})
    z = f32[] constant(0)
    ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=add
  )"),
            Floats{1});
}

// Padding is no term: +0 would make the sums +0.
TEST(TpuFold, AddsNothingForPadding) {
  const Floats sums = run(R"(
    x = f32[1] constant({-0})
    z = f32[] constant(-0)
    ROOT r = f32[2] reduce-window(x, z), window={size=2 pad=1_1}, to_apply=add
  )");
  ASSERT_EQ(sums.size(), 2U);
  for (const float sum : sums) EXPECT_TRUE(sum == 0 && std::signbit(sum));
}

TEST(TpuFold, TakesNoPaddingForTheLargestNumber) {
  EXPECT_EQ(run(R"(
    x = f32[4] constant({-1, -2, -3, -4})
    z = f32[] constant(-inf)
    ROOT r = f32[5] reduce-window(x, z), window={size=2 pad=1_1},
      to_apply=maximum
  )"),
            (Floats{-1, -1, -2, -3, -4}));
}

// A window over padding alone has the initial value.
TEST(TpuFold, SlidesWindowsOutOfTheArray) {
  EXPECT_EQ(window_sums("size=1 pad=2_1", 7), (Floats{0, 0, 1, 2, 3, 4, 0}));
}

// In tiles whose lanes of padding lie at the end of the array, and between its
// rows.
TEST(TpuMap, AppliesToElementsOfDifferentLayouts) {
  for (const size_t columns : {size_t{130}, size_t{100}}) {
    const Floats values = run(fmt::format(R"(
      x = f32[9,{0}]{{0,1:T(8,128)}} iota(), iota_dimension=0
      y = f32[9,{0}]{{1,0:T(2,128)}} iota(), iota_dimension=1
      ROOT r = f32[9,{0}] map(x, y), dimensions={{0,1}}, to_apply=subtract
    )",
                                          columns));
    ASSERT_EQ(values.size(), 9 * columns);
    for (size_t k = 0; k < values.size(); ++k) {
      const auto row = static_cast<float>(k / columns);
      const auto column = static_cast<float>(k % columns);
      ASSERT_EQ(values[k], row - column);
    }
  }
}

}  // namespace
}  // namespace hlo::tpu
