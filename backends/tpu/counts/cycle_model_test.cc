#include "backends/tpu/counts/cycle_model.h"

#include <gtest/gtest.h>

#include <string>

#include "backends/tpu/counts/counts_text.h"
#include "backends/tpu/counts/roofline.h"

namespace hlo::tpu {
namespace {

/// A machine of small numbers, for sums by hand.
Generation small() {
  return {.name = "small",
          .least_bytes = 512,
          .matrix_size = 4,
          .bytes_of_cycle = 100,
          .tiles = {}};
}

TEST(TpuCycleModel, AddsWhatEachUnitTakes) {
  const Counters counters{.loads = 3,
                          .stores = 2,
                          .shifts = 5,
                          .vector_operations = 7,
                          .matrix_passes = 2,
                          .bytes_moved = 201,
                          .elements_one_by_one = 9};
  const Cycles cycles = cycles_of(counters, small());
  EXPECT_EQ(cycles.memory, 3);  // 100, 100 and 1 byte
  EXPECT_EQ(cycles.lanes, 5 + 7);
  EXPECT_EQ(cycles.matrix, 2 * 4);
  EXPECT_EQ(cycles.scalar, 9);
  EXPECT_EQ(cycles.sum(), 3 + 12 + 8 + 9);
  EXPECT_EQ(cycles.most(), 12);
  EXPECT_EQ(operations_of(counters, small()), 7 * 1024 + 2 * 2 * 4 * 4 * 4);
}

TEST(TpuCycleModel, TakesTheDifferenceOfAllCounts) {
  const Counters from{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const Counters to{11, 22, 33, 44, 55, 66, 77, 88, 99, 110, 121, 132};
  Counters sum = from;
  add(sum, counted_since(from, to));
  EXPECT_EQ(sum.loads, 11);
  EXPECT_EQ(sum.matrix_passes, 55);
  EXPECT_EQ(sum.elements_one_by_one, 99);
  EXPECT_EQ(sum.untiled_bytes, 110);
  EXPECT_EQ(sum.splits, 121);
  EXPECT_EQ(sum.pieces, 132);
  EXPECT_EQ(counted_since(from, to).relayouts, 60);
}

std::string line_with(const std::string& plot, const std::string& begin) {
  const size_t at = plot.find("\n" + begin);
  if (at == std::string::npos) return "";
  return plot.substr(at + 1, plot.find('\n', at + 1) - at - 1);
}

// 64 bytes a cycle let 4 operations a byte be 256 a cycle; the matrix unit does
// 2 * 32 * 32 = 2048 at most, and lanes do 1024.
TEST(TpuRoofline, MarksTheRoofsAndTheRun) {
  Generation generation = small();
  generation.matrix_size = 32;
  generation.bytes_of_cycle = 64;
  const std::string plot =
      roofline({.operations = 4096, .bytes = 1024, .cycles = 40}, generation);
  const auto column = [](int exponent) {  // behind "  2048 |"
    return static_cast<size_t>(8 + 3 * (exponent + 6));
  };
  const std::string at_256 = line_with(plot, "   256 |");
  EXPECT_EQ(at_256.find('/'), column(2)) << plot;
  const std::string at_1024 = line_with(plot, "  1024 |");
  EXPECT_EQ(at_1024.find('/'), column(4)) << plot;
  EXPECT_EQ(at_1024.find('='), column(5)) << plot;
  const std::string at_2048 = line_with(plot, "  2048 |");
  EXPECT_EQ(at_2048.find('/'), column(5)) << plot;
  EXPECT_EQ(at_2048.find('-'), column(6)) << plot;
  // 4096 operations in 40 cycles are 102 a cycle, of 4 a byte.
  EXPECT_EQ(line_with(plot, "    64 |").find('o'), column(2)) << plot;
  EXPECT_EQ(line_with(plot, "  4096 |"), "");
}

TEST(TpuRoofline, IsEmptyWhereNothingIsDone) {
  EXPECT_EQ(roofline({.operations = 0, .bytes = 8, .cycles = 1}, small()), "");
  EXPECT_EQ(roofline({.operations = 8, .bytes = 0, .cycles = 1}, small()), "");
}

TEST(TpuCountsText, TellsTheParts) {
  const Counters all{.loads = 1,
                     .stores = 2,
                     .relayouts = 1,
                     .bytes_moved = 400,
                     .padding_moved = 100,
                     .elements_one_by_one = 1};
  const Counters relayouts{.relayouts = 1, .bytes_moved = 200};
  EXPECT_EQ(counts_text(all, relayouts, small()),
            "unit            cycles\n"
            "memory               4  1 load, 2 stores of registers\n"
            "lanes                0  0 operations on registers, 0 moves of "
            "lanes\n"
            "matrix               0  0 passes\n"
            "scalar               1  1 element one by one\n"
            "cycles: 5, or 4 where units work beside each other\n"
            "moved: 400 bytes, 100 of them padding (25.0 %)\n"
            "re-layouts: 1, 2 of these cycles, 200 bytes\n");
}

}  // namespace
}  // namespace hlo::tpu
