#include "interpreter/definition/random_words.h"

#include <gtest/gtest.h>

namespace hlo::definition {
namespace {

using Block = std::array<uint32_t, 4>;
using Pair = std::array<uint32_t, 2>;

// The known answers that the authors publish.
TEST(RandomWords, PhiloxGivesTheKnownAnswers) {
  EXPECT_EQ(philox(0, 0),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox(-1, ~uint64_t{0}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  const Integer counter =
      (Integer(0x0370734413198a2e) << 64) + 0x85a308d3243f6a88;
  EXPECT_EQ(philox(counter, 0x299f31d0a4093822),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomWords, ThreefryGivesTheKnownAnswers) {
  EXPECT_EQ(threefry(0, 0), (Pair{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(threefry(-1, ~uint64_t{0}), (Pair{0x1cb996fc, 0xbb002be7}));
  EXPECT_EQ(threefry(0x85a308d3243f6a88, 0x0370734413198a2e),
            (Pair{0xc4923a9c, 0x483df7a0}));
}

}  // namespace
}  // namespace hlo::definition
