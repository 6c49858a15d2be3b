#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "backends/tpu/testing/run_tpu.h"

namespace hlo::tpu {
namespace {

/// f32[<=9,<=129] of 1000 i + j in that layout, of the sizes rows and columns.
std::string numbers(int64_t rows, int64_t columns, const std::string& layout) {
  const std::string bounds = "f32[9,129]" + layout;
  return R"(HloModule m
    sum { a = f32[] parameter(0)  b = f32[] parameter(1)
          ROOT r = f32[] add(a, b) }
    more { a = f32[] parameter(0)  b = f32[] parameter(1)
           ROOT r = pred[] compare(a, b), direction=GT }
    step { x = f32[<=129] parameter(0)  c = f32[] parameter(1)
           ROOT t = (f32[<=129], f32[]) tuple(x, c) }
    ENTRY main {
    i = )" +
         bounds + R"( iota(), iota_dimension=0
    j = )" +
         bounds + R"( iota(), iota_dimension=1
    thousand = f32[] constant(1000)
    zero = f32[] constant(0)
    thousands = )" +
         bounds + R"( broadcast(thousand), dimensions={}
    scaled = )" +
         bounds + R"( multiply(i, thousands)
    all = )" +
         bounds + R"( add(scaled, j)
    rows = s32[] constant()" +
         std::to_string(rows) + R"()
    columns = s32[] constant()" +
         std::to_string(columns) + R"()
    some = f32[<=9,129])" +
         layout + R"( set-dimension-size(all, rows), dimensions={0}
    x = f32[<=9,<=129])" +
         layout + R"( set-dimension-size(some, columns), dimensions={1}
    )";
}

struct Case {
  int64_t rows;
  int64_t columns;
  std::string layout;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* layout : {"", "{0,1:T(8,128)}", "{1,0:T(8,128)(2,1)}"}) {
    for (const int64_t rows : {0, 1, 7, 8, 9}) {
      for (const int64_t columns : {1, 127, 128, 129}) {
        all.push_back({rows, columns, layout});
      }
    }
  }
  return all;
}

TEST(TpuSizes, SumsWhatIsThere) {
  for (const auto& [rows, columns, layout] : cases()) {
    const auto sums =
        run_program(numbers(rows, columns, layout) +
                    "ROOT r = f32[] reduce(x, zero), dimensions={0,1}, "
                    "to_apply=sum }");
    EXPECT_EQ(sums.at(0),
              static_cast<float>(1000 * columns * rows * (rows - 1) / 2 +
                                 rows * columns * (columns - 1) / 2))
        << rows << " " << columns << layout;
  }
}

// In rows of as many columns as there are, not of 129.
TEST(TpuSizes, ReshapesInTheOrderOfWhatIsThere) {
  for (const auto& [rows, columns, layout] : cases()) {
    const auto row = run_program(numbers(rows, columns, layout) + R"(
          n = s32[] constant()" + std::to_string(rows * columns) +
                                 R"()
          y = f32[<=1161] dynamic-reshape(x, n)
          bound = s32[] constant(1161)
          ROOT r = f32[1161] set-dimension-size(y, bound), dimensions={0} })");
    for (int64_t k = 0; k < rows * columns; ++k) {
      ASSERT_EQ(row.at(static_cast<size_t>(k)),
                static_cast<float>(1000 * (k / columns) + k % columns))
          << rows << " " << columns << layout << " at " << k;
    }
  }
}

// What lies past the sizes would come first.
TEST(TpuSizes, SortsWhatIsThere) {
  for (const auto& [rows, columns, layout] : cases()) {
    if (rows == 0) continue;
    const auto sorted = run_program(numbers(rows, columns, layout) +
                                    "s = f32[<=9,<=129]" + layout +
                                    R"( sort(x), dimensions={1}, to_apply=more
        first = f32[1,1] slice(s), slice={[0:1], [0:1]}
        ROOT r = f32[1,1] copy(first) })");
    EXPECT_EQ(sorted.at(0), static_cast<float>(columns - 1))
        << rows << " " << columns << layout;
  }
}

/// The products of f32[5,<=8] of i, of which `columns` are there, with ones:
/// scales of blocks of 4 are 1 and 2, those of the other side are 1 and only
/// `blocks` of two are there.
std::vector<float> scaled(int64_t columns, int64_t blocks,
                          const std::string& layout) {
  return run_program(R"(HloModule m
    ENTRY main {
      a = f32[5,8])" +
                     layout + R"( iota(), iota_dimension=0
      one = f32[] constant(1)
      b = f32[8,6] broadcast(one), dimensions={}
      i = f32[5,2] iota(), iota_dimension=1
      ones = f32[5,2] broadcast(one), dimensions={}
      s = f32[5,2])" +
                     layout + R"( add(i, ones)
      t = f32[2,6] broadcast(one), dimensions={}
      n = s32[] constant()" +
                     std::to_string(columns) + R"()
      m = s32[] constant()" +
                     std::to_string(blocks) + R"()
      x = f32[5,<=8])" +
                     layout + R"( set-dimension-size(a, n), dimensions={1}
      u = f32[<=2,6] set-dimension-size(t, m), dimensions={0}
      ROOT r = f32[5,6] scaled-dot(x, b, s, u), lhs_contracting_dims={1},
               rhs_contracting_dims={0} })");
}

// Row i is i times the sum of the scales of the columns that both sides have.
TEST(TpuSizes, ScalesBlocksThatAreCut) {
  for (const char* layout : {"", "{0,1:T(8,128)}", "{1,0:T(2,128)}"}) {
    for (const int64_t columns : {0, 1, 4, 5, 8}) {
      for (const int64_t blocks : {0, 1, 2}) {
        const int64_t terms = std::min(columns, 4 * blocks);
        const int64_t scales = terms + std::max<int64_t>(terms - 4, 0);
        const auto result = scaled(columns, blocks, layout);
        for (int64_t k = 0; k < 30; ++k) {
          ASSERT_EQ(result.at(static_cast<size_t>(k)),
                    static_cast<float>(k / 6 * scales))
              << layout << columns << " " << blocks;
        }
      }
    }
  }
}

TEST(TpuSizes, ScansSlicesThatHaveSizes) {
  for (const auto& [rows, columns, layout] : cases()) {
    const auto sums = run_program(numbers(rows, columns, layout) + R"(
        t = (f32[<=9,<=129], f32[]) scan(x, zero), dimensions={0},
            num_carries=1, is_reverse=true, to_apply=step
        y = f32[<=9,<=129] get-tuple-element(t), index=0
        ROOT r = f32[] reduce(y, zero), dimensions={0,1}, to_apply=sum })");
    EXPECT_EQ(sums.at(0),
              static_cast<float>(1000 * columns * rows * (rows - 1) / 2 +
                                 rows * columns * (columns - 1) / 2))
        << rows << " " << columns << layout;
  }
}

}  // namespace
}  // namespace hlo::tpu
