#include "backends/cpu/plan/block/pieces.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace hlo::cpu {
namespace {

TEST(Pieces, NeedWhatIsInUseAtOnce) {
  EXPECT_EQ(least_bytes_of({}), 0U);
  // Behind its last step a piece is free.
  const std::vector<Piece> pieces = {{8, 0, 1}, {4, 1, 2}, {16, 2, 3}};
  EXPECT_EQ(least_bytes_of(pieces), 20U);
}

TEST(Pieces, TakeTheMemoryOfThoseBefore) {
  const std::vector<Piece> pieces = {{64, 0, 1}, {64, 2, 3}, {64, 1, 2}};
  const Packing packing = packed(pieces);
  EXPECT_EQ(packing.offsets, (std::vector<size_t>{0, 0, 64}));
  EXPECT_EQ(packing.bytes, 128U);
}

TEST(Pieces, LeaveNoGapWhereASmallOneStaysBetweenLargeOnes) {
  // In the order of their steps the small one would lie behind the first large
  // one, and the second and larger one behind that.
  const std::vector<Piece> pieces = {{128, 0, 0}, {64, 0, 1}, {192, 1, 1}};
  const Packing packing = packed(pieces);
  EXPECT_EQ(packing.offsets, (std::vector<size_t>{0, 192, 0}));
  EXPECT_EQ(packing.bytes, least_bytes_of(pieces));
}

TEST(Pieces, LieApartWhileBothAreInUse) {
  std::mt19937 engine(1);
  const auto drawn = [&](size_t below) { return engine() % below; };
  for (int turn = 0; turn < 100; ++turn) {
    std::vector<Piece> pieces(1 + drawn(40));
    for (Piece& piece : pieces) {
      piece = {1 + drawn(9), drawn(20), 0};
      piece.last = piece.first + drawn(6);
    }
    const Packing packing = packed(pieces);
    EXPECT_GE(packing.bytes, least_bytes_of(pieces));
    // Who has each byte at each step.
    std::vector<std::vector<bool>> taken(26, std::vector<bool>(packing.bytes));
    for (size_t i = 0; i < pieces.size(); ++i) {
      for (size_t s = pieces[i].first; s <= pieces[i].last; ++s) {
        for (size_t k = 0; k < pieces[i].bytes; ++k) {
          ASSERT_FALSE(taken[s].at(packing.offsets[i] + k));
          taken[s][packing.offsets[i] + k] = true;
        }
      }
    }
  }
}

}  // namespace
}  // namespace hlo::cpu
