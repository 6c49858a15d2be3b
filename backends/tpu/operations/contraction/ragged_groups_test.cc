#include "backends/tpu/operations/contraction/ragged_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "backends/tpu/machine/scalar_write.h"
#include "backends/tpu/testing/run_tpu.h"
#include "interpreter/evaluate.h"

namespace hlo::tpu {
namespace {

using Sizes = std::vector<int64_t>;

/// The group that has each of `length` indices: the first that covers it.
std::vector<int64_t> groups_by_covering(const Sizes& sizes, int64_t length) {
  const int64_t none = std::ssize(sizes);
  std::vector<int64_t> groups(static_cast<size_t>(length), none);
  int64_t begin = 0;
  for (int64_t g = 0; g < none; ++g) {
    const int64_t end = begin + sizes[static_cast<size_t>(g)];
    for (int64_t i = 0; i < length; ++i) {
      int64_t& group = groups[static_cast<size_t>(i)];
      if (begin <= i && i < end && group == none) group = g;
    }
    begin = end;
  }
  return groups;
}

/// All lists of three sizes from -3 to 4, of seven indices.
TEST(TpuRaggedGroups, AreTheFirstThatCoverAnIndex) {
  constexpr int64_t kLength = 7;
  Evaluator evaluator(kReference);
  Scratch scratch(int64_t{1} << 18);
  Machine machine{
      .memory = Hbm(512), .scratch = scratch, .evaluator = evaluator};
  const TiledArray array =
      new_array(machine.memory, Shape::array(ElementType::kS8, {3}));
  for (int64_t number = 0; number < 512; ++number) {
    const Sizes sizes = {number % 8 - 3, number / 8 % 8 - 3, number / 64 - 3};
    for (size_t g = 0; g < sizes.size(); ++g) {
      write_integer(machine, array, static_cast<int64_t>(g), sizes[g]);
    }
    const RaggedGroups groups(machine, array, kLength);
    const std::vector<int64_t> expected = groups_by_covering(sizes, kLength);
    std::vector<int64_t> by_index;
    std::vector<int64_t> by_group(static_cast<size_t>(kLength));
    for (int64_t i = 0; i < kLength; ++i) {
      by_index.push_back(groups.group_of(0, i));
    }
    for (int64_t g = 0; g <= groups.count(); ++g) {
      const IndexRange range = groups.indices_of(0, g);
      ASSERT_LE(range.begin, range.end);
      std::fill_n(by_group.begin() + range.begin, range.size(), g);
    }
    EXPECT_EQ(by_index, expected) << testing::PrintToString(sizes);
    EXPECT_EQ(by_group, expected) << testing::PrintToString(sizes);
  }
}

/// Sums of i * n over the rows i of f32[2,5] that are in each group.
std::vector<float> sums_of_groups(const std::vector<Sizes>& lists) {
  std::vector<float> sums;
  for (size_t g = 0; g < lists[0].size(); ++g) {
    int64_t rows = 0;
    for (const size_t outer : {size_t{0}, size_t{1}}) {
      const auto groups = groups_by_covering(lists[outer % lists.size()], 5);
      for (int64_t i = 0; i < 5; ++i) {
        const bool is_in =
            groups[static_cast<size_t>(i)] == static_cast<int64_t>(g);
        rows += is_in ? i : 0;
      }
    }
    for (int64_t k = 0; k < 6 * 4; ++k) {
      sums.push_back(static_cast<float>(rows * (k % 4)));
    }
  }
  return sums;
}

/// A product that sums over both dimensions of f32[2,5], the second of which is
/// ragged.
std::vector<float> product(const std::string& sizes) {
  return run_program(R"(HloModule m
    ENTRY main {
      l = f32[2,5,6] iota(), iota_dimension=1
      r = f32[2,5,4] iota(), iota_dimension=2
      g = )" + sizes +
                     R"(
      ROOT d = f32[3,6,4] ragged-dot(l, r, g), lhs_contracting_dims={0,1},
               rhs_contracting_dims={0,1}, lhs_ragged_dims={1} })");
}

TEST(TpuRaggedGroups, AreSummedOverOfEachOuterIndex) {
  EXPECT_EQ(product("s32[2,3] constant({{1, 2, 1}, {-1, 6, 0}})"),
            sums_of_groups({{1, 2, 1}, {-1, 6, 0}}));
  EXPECT_EQ(product("s64[3] constant({2, 0, 9})"), sums_of_groups({{2, 0, 9}}));
}

}  // namespace
}  // namespace hlo::tpu
