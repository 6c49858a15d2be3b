#include "backends/tpu/memory/tile_order.h"

#include <gtest/gtest.h>

#include <bitset>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "interpreter/model/buffer_layout.h"
#include "interpreter/model/index_loops.h"
#include "interpreter/model/shape.h"
#include "interpreter/testing/random_case.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kMost = 5;

/// Up to three tiles, later ones longer than the first, too.
Layout drawn_layout(testing::Random& random, int64_t rank) {
  Layout layout = default_layout(rank);
  for (int64_t d = rank - 1; d > 0; --d) {
    std::swap(layout.minor_to_major[static_cast<size_t>(d)],
              layout.minor_to_major[static_cast<size_t>(random.between(0, d))]);
  }
  for (int64_t t = random.between(0, 3); t > 0; --t) {
    Tile tile;
    for (int64_t k = random.between(1, kMost); k > 0; --k) {
      const bool combines = k > 1 && random.one_in(4);
      tile.dims.push_back(combines ? Tile::kCombine : random.between(1, kMost));
    }
    layout.tiles.push_back(tile);
  }
  layout.tail_padding_alignment_in_elements = random.between(1, 7);
  return layout;
}

Shape drawn_shape(testing::Random& random) {
  constexpr int64_t kMostRank = 6;
  constexpr int64_t kMostElements = 3000;
  const int64_t rank = random.between(0, kMostRank);
  Shape shape;
  do {
    std::vector<int64_t> dims;
    for (int64_t d = 0; d < rank; ++d) {
      dims.push_back(random.one_in(20) ? 0 : random.between(1, 2 * kMost));
    }
    shape = Shape::array(ElementType::kF32, dims);
  } while (shape.element_count() > kMostElements);
  shape.layout = drawn_layout(random, rank);
  return shape;
}

/// Compares with the arithmetic of the model (spec/layout.md).
void expect_order_of(const Shape& shape) {
  const TileOrder order(shape.dims, *shape.layout);
  ASSERT_EQ(order.slots(), buffer_elements(shape));
  ASSERT_EQ(order.elements(), shape.element_count());
  int64_t element = 0;
  for_each_index(shape.dims, [&](const std::vector<int64_t>& index) {
    const int64_t lane = order.lane_of(element);
    ASSERT_EQ(order.slot_of(lane), linear_index(shape, index));
    ASSERT_EQ(order.element_of(lane), element);
    ASSERT_TRUE(order.mask(lane / kLanes)[static_cast<size_t>(lane % kLanes)]);
    ++element;
  });
  std::set<int64_t> slots;
  int64_t held = 0;
  for (int64_t lane = 0; lane < order.lanes(); ++lane) {
    held += order.element_of(lane) == TileOrder::kPadding ? 0 : 1;
    ASSERT_TRUE(slots.insert(order.slot_of(lane)).second);
    ASSERT_LT(order.slot_of(lane), order.slots());
  }
  EXPECT_EQ(held, shape.element_count());
}

/// Whether the lanes of the runs of all registers are those of the masks, and
/// no run goes on with the next one.
void expect_runs_of(const TileOrder& order) {
  for (int64_t r = 0; r * kLanes < order.lanes(); ++r) {
    std::bitset<kLanes> lanes;
    int64_t end = -1;
    for (const TileOrder::Run& run : order.runs(r)) {
      EXPECT_GT(run.first, end);
      end = run.first + run.count;
      for (int64_t k = run.first; k < end; ++k) {
        lanes.set(static_cast<size_t>(k));
      }
    }
    EXPECT_EQ(lanes, order.mask(r));
  }
}

TEST(TileOrder, IsThatOfTheModel) {
  testing::Random random(19);
  constexpr int kShapes = 400;
  for (int k = 0; k < kShapes; ++k) {
    const Shape shape = drawn_shape(random);
    SCOPED_TRACE(to_string(shape));
    expect_order_of(shape);
    expect_runs_of(TileOrder(shape.dims, *shape.layout));
    if (HasFatalFailure()) return;
  }
}

Layout tiled(int64_t rank, const std::vector<std::vector<int64_t>>& tiles) {
  Layout layout = default_layout(rank);
  for (const std::vector<int64_t>& dims : tiles) layout.tiles.push_back({dims});
  return layout;
}

TEST(TileOrder, EndsRunsWithRegisters) {
  expect_runs_of(TileOrder({1500}, tiled(1, {{128}})));
  const TileOrder wide({3, 1030}, tiled(2, {{8, 128}}));
  expect_runs_of(wide);
  ASSERT_EQ(wide.runs(8).size(), 3U);
  EXPECT_EQ(wide.runs(8)[1].first, 128);
  EXPECT_EQ(wide.runs(8)[1].count, 6);
}

// spec/layout.md, "Repeated tiles" and "Combining dimensions".
TEST(TileOrder, HasTheSlotsOfTheSpecification) {
  const TileOrder nested({16, 256}, tiled(2, {{8, 128}, {2, 1}}));
  EXPECT_EQ(nested.slot_of(nested.lane_of(1)), 2);
  EXPECT_EQ(nested.slot_of(nested.lane_of(256)), 1);
  EXPECT_EQ(nested.slot_of(nested.lane_of(9 * 256 + 130)), 3077);
  constexpr int64_t kAny = Tile::kCombine;
  const TileOrder merged({2, 7, 8, 11, 10},
                         tiled(5, {{kAny, kAny, 2, kAny, 3}}));
  EXPECT_EQ(merged.slot_of(merged.lane_of(113)), 9);
  EXPECT_EQ(merged.slots(), 12432);
  const TileOrder longer({4, 8}, tiled(2, {{2, 4}, {2, 2, 2}}));
  EXPECT_EQ(longer.slot_of(longer.lane_of(2)), 8);
  EXPECT_EQ(longer.slot_of(longer.lane_of(31)), 31);
}

}  // namespace
}  // namespace hlo::tpu
