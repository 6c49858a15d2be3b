#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/tpu/testing/run_tpu.h"
#include "backends/tpu/testing/tile_edges.h"

namespace hlo::tpu {
namespace {

constexpr const char* kRegions = R"(HloModule m
  add { a = f32[] parameter(0)  b = f32[] parameter(1)
        ROOT r = f32[] add(a, b) }
  product { a = f32[] parameter(0)  b = f32[] parameter(1)
           ROOT r = f32[] multiply(a, b) }
  at_least { a = f32[] parameter(0)  b = f32[] parameter(1)
             ROOT r = pred[] compare(a, b), direction=GE })";

/// Rows 0, 100, 200 of updates, plus the column, go to rows 6, 0 and 6 of an
/// array of the numbers of its columns.
std::string scatter(int64_t rows, int64_t columns, const std::string& layout,
                    const std::string& region) {
  const std::string all = "f32" + dims(rows, columns) + layout;
  const std::string three = "f32" + dims(3, columns) + layout;
  return kRegions + std::string(R"(
    ENTRY main {
      x = )") +
         all + R"( iota(), iota_dimension=1
      i = )" +
         three + R"( iota(), iota_dimension=0
      j = )" +
         three + R"( iota(), iota_dimension=1
      hundred = f32[] constant(100)
      hundreds = )" +
         three + R"( broadcast(hundred), dimensions={}
      scaled = )" +
         three + R"( multiply(i, hundreds)
      u = )" +
         three + R"( add(scaled, j)
      at = s32[3] constant({6, 0, 6})
      s = )" +
         all + R"( scatter(x, at, u), update_window_dims={1},
          inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
          index_vector_dim=1, to_apply=)" +
         region + R"(
      ROOT r = f32)" +
         dims(rows, columns) + " copy(s) }";
}

TEST(TpuUpdates, AddsRowsToThoseOfTiles) {
  for (const char* layout : kLayouts) {
    for (const int64_t rows : {7, 8, 9}) {
      for (const int64_t columns : {127, 128, 129, 1023, 1024, 1025}) {
        const auto sums = run_program(scatter(rows, columns, layout, "add"));
        for (int64_t k = 0; k < rows * columns; ++k) {
          const int64_t row = k / columns;
          const int64_t column = k % columns;
          int64_t expected = column;
          if (row == 0) expected = 100 + 2 * column;
          if (row == 6) expected = 200 + 3 * column;
          ASSERT_EQ(sums.at(static_cast<size_t>(k)),
                    static_cast<float>(expected))
              << dims(rows, columns) << layout << " at " << k;
        }
      }
    }
  }
}

// A region that is no sum takes the updates one after the other.
TEST(TpuUpdates, AppliesARegionInTheOrderOfTheUpdates) {
  for (const char* layout : kLayouts) {
    const auto products = run_program(scatter(9, 129, layout, "product"));
    for (int64_t column = 0; column < 129; ++column) {
      const auto c = static_cast<float>(column);
      ASSERT_EQ(products.at(static_cast<size_t>(column)), c * (100 + c));
      ASSERT_EQ(products.at(static_cast<size_t>(6 * 129 + column)),
                c * c * (200 + c))
          << layout << " at " << column;
    }
  }
}

// A block has 2^18 / 2 / 76 = 1724 updates, so that each of the seven elements
// gets some of all twelve blocks.
TEST(TpuUpdates, TakesThemBlockByBlock) {
  constexpr int64_t kUpdates = 20000;
  constexpr int64_t kElements = 7;
  const std::string program = kRegions + std::string(R"(
    last { a = f32[] parameter(0)  b = f32[] parameter(1)
           ROOT r = f32[] copy(b) }
    ENTRY main {
      i = s32[20000] iota(), iota_dimension=0
      u = f32[20000] convert(i)
      one = f32[] constant(1)
      ones = f32[20000] broadcast(one), dimensions={}
      seven = s32[] constant(7)
      sevens = s32[20000] broadcast(seven), dimensions={}
      at = s32[20000] remainder(i, sevens)
      x = f32[7] broadcast(one), dimensions={}
      n = f32[7] scatter(x, at, ones), update_window_dims={},
          inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
          index_vector_dim=1, to_apply=add
      l = f32[7] scatter(x, at, u), update_window_dims={},
          inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
          index_vector_dim=1, to_apply=last
      ROOT r = (f32[7], f32[7]) tuple(n, l) })");
  const auto counts = run_program(program, "tpu:?scratch=262144", 0);
  const auto lasts = run_program(program, "tpu:?scratch=262144", 1);
  for (int64_t k = 0; k < kElements; ++k) {
    const int64_t count = (kUpdates - k + kElements - 1) / kElements;
    const auto at = static_cast<size_t>(k);
    EXPECT_EQ(counts.at(at), static_cast<float>(1 + count)) << k;
    EXPECT_EQ(lasts.at(at), static_cast<float>(k + kElements * (count - 1)))
        << k;
  }
}

// The last column of each window has the most; windows overlap by one.
TEST(TpuUpdates, ScattersToWhatWindowsSelect) {
  for (const char* layout : kLayouts) {
    for (const int64_t rows : {7, 8, 9}) {
      for (const int64_t columns : {127, 130, 133, 1024, 1027}) {
        const int64_t windows = (columns - 4) / 3 + 1;
        const std::string all = "f32" + dims(rows, columns) + layout;
        const auto sums = run_program(
            kRegions + std::string("\nENTRY main { x = ") + all +
            " iota(), iota_dimension=1\n u = f32" + dims(rows, windows) +
            layout + " iota(), iota_dimension=0\n half = f32[] " +
            "constant(0.5)\n s = " + all +
            " select-and-scatter(x, u, half), window={size=1x4 stride=1x3}, "
            "select=at_least, scatter=add\n ROOT r = f32" +
            dims(rows, columns) + " copy(s) }");
        for (int64_t k = 0; k < rows * columns; ++k) {
          const int64_t column = k % columns;
          const bool is_last =
              column > 0 && column % 3 == 0 && column / 3 <= windows;
          ASSERT_EQ(sums.at(static_cast<size_t>(k)),
                    0.5F + (is_last ? static_cast<float>(k / columns) : 0.0F))
              << all << " at " << k;
        }
      }
    }
  }
}

}  // namespace
}  // namespace hlo::tpu
