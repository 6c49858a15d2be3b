#include "backends/cpu/functions/random/generators.h"

#include <gtest/gtest.h>

namespace hlo::cpu {
namespace {

// The vectors of kat_vectors in Random123, which the authors of the generators
// published with them: counters and keys of zeros, of ones, and of digits of
// pi.
TEST(CpuGenerators, PhiloxGivesTheKnownAnswers) {
  using Words = std::array<uint32_t, 4>;
  EXPECT_EQ(philox({0, 0}, 0),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~uint64_t{0}, ~uint64_t{0}}, ~uint64_t{0}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(
      philox({0x85a308d3243f6a88, 0x0370734413198a2e}, 0x299f31d0a4093822),
      (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(CpuGenerators, ThreefryGivesTheKnownAnswers) {
  using Words = std::array<uint32_t, 2>;
  EXPECT_EQ(threefry(0, 0), (Words{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(threefry(~uint64_t{0}, ~uint64_t{0}),
            (Words{0x1cb996fc, 0xbb002be7}));
  EXPECT_EQ(threefry(0x85a308d3243f6a88, 0x0370734413198a2e),
            (Words{0xc4923a9c, 0x483df7a0}));
}

TEST(CpuGenerators, CountersCarryAndWrap) {
  constexpr uint64_t kAll = ~uint64_t{0};
  EXPECT_EQ(advanced({kAll, 0}, 1), (Counter{0, 1}));
  EXPECT_EQ(advanced({kAll, kAll}, 2), (Counter{1, 0}));
  EXPECT_EQ(advanced({5, 7}, 0), (Counter{5, 7}));
}

}  // namespace
}  // namespace hlo::cpu
