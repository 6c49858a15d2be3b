#include "interpreter/model/index_loops.h"

#include <gtest/gtest.h>

namespace hlo {
namespace {

using Indices = std::vector<std::vector<int64_t>>;

Indices all_within(const std::vector<int64_t>& sizes) {
  Indices found;
  for_each_index(sizes, [&](const std::vector<int64_t>& index) {
    found.push_back(index);
  });
  return found;
}

TEST(IndexLoops, VisitIndicesInRowMajorOrder) {
  EXPECT_EQ(all_within({2, 3}),
            (Indices{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(all_within({}), Indices{{}});
  EXPECT_EQ(all_within({2, 0, 3}), Indices{});
  EXPECT_EQ(all_within({1, 1}), (Indices{{0, 0}}));
}

std::vector<std::array<int64_t, 2>> all_offsets(const StridedLoop<2>& loop) {
  std::vector<std::array<int64_t, 2>> found;
  loop.for_each([&](const auto& offsets) { found.push_back(offsets); });
  return found;
}

TEST(StridedLoop, VisitsTheOffsetsOfEveryIndex) {
  StridedLoop<2> loop;
  loop.add_axis(2, {10, -1});
  loop.add_axis(1, {100, 100});
  loop.add_axis(3, {2, 0});
  EXPECT_EQ(loop.count(), 6);
  const std::vector<std::array<int64_t, 2>> expected = {
      {0, 0}, {2, 0}, {4, 0}, {10, -1}, {12, -1}, {14, -1}};
  EXPECT_EQ(all_offsets(loop), expected);
  loop.add_axis(0, {1, 1});
  EXPECT_TRUE(all_offsets(loop).empty());
}

TEST(StridedLoop, HasOneIndexWithoutAxes) {
  const std::vector<std::array<int64_t, 2>> expected = {{0, 0}};
  EXPECT_EQ(all_offsets(StridedLoop<2>()), expected);
}

}  // namespace
}  // namespace hlo
