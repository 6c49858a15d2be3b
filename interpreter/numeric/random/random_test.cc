#include "interpreter/numeric/random/random.h"

#include <gtest/gtest.h>

namespace hlo::numeric {
namespace {

using Block = std::array<uint32_t, 4>;

// The known answers that the authors of Philox publish.
TEST(Random, PhiloxGivesTheKnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, ThreefryGivesTheKnownAnswers) {
  using Pair = std::array<uint32_t, 2>;
  EXPECT_EQ(threefry2x32(0, 0), (Pair{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(threefry2x32(~uint64_t{0}, ~uint64_t{0}),
            (Pair{0x1cb996fc, 0xbb002be7}));
  EXPECT_EQ(threefry2x32(0x85a308d3243f6a88, 0x0370734413198a2e),
            (Pair{0xc4923a9c, 0x483df7a0}));
}

TEST(Random, CounterCarries) {
  using Counter = std::array<uint64_t, 2>;
  EXPECT_EQ(advance({~uint64_t{0}, 7}, 1), (Counter{0, 8}));
  EXPECT_EQ(advance({5, ~uint64_t{0}}, 3), (Counter{8, ~uint64_t{0}}));
  EXPECT_EQ(advance({~uint64_t{0}, ~uint64_t{0}}, 2), (Counter{1, 0}));
}

}  // namespace
}  // namespace hlo::numeric
