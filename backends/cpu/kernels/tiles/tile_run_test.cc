#include "backends/cpu/kernels/tiles/tile_run.h"

#include <gtest/gtest.h>

namespace hlo::cpu {
namespace {

/// A program over rows of that length, of which each has one number of another
/// array.
TileProgram rows_of_one_number(int64_t length) {
  TileProgram program;
  program.inputs = {{View::dense({100 * length})},
                    {View{{100, length}, {1, 0}, 0}}};
  program.registers = 3;
  program.count = 100 * length;
  return program;
}

// So that a tile has one number of those, which is read once.
TEST(TileLanes, FillRunsOfOneNumber) {
  for (const int64_t length : {256, 512, 768, 1024, 1536, 2048, 3072, 4096}) {
    const int64_t lanes = tile_lanes(rows_of_one_number(length));
    EXPECT_EQ(length % lanes, 0) << length;
    EXPECT_EQ(lanes % kFewestLanes, 0) << length;
    EXPECT_GE(lanes, 256) << length;
  }
}

TEST(TileLanes, AreAsManyAsWithoutWhereNoFewerFillRuns) {
  TileProgram plain = rows_of_one_number(1000);
  plain.inputs.pop_back();
  for (const int64_t length : {1, 2, 24, 100, 255, 1000, 1001}) {
    EXPECT_EQ(tile_lanes(rows_of_one_number(length)), tile_lanes(plain))
        << length;
  }
}

}  // namespace
}  // namespace hlo::cpu
