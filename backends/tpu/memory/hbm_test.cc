#include "backends/tpu/memory/hbm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "backends/tpu/memory/trap.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kGrain = 512;

TEST(Hbm, GivesPiecesInTheFirstGap) {
  Hbm memory(kGrain);
  const auto first = memory.allocate(1);
  auto second = memory.allocate(kGrain + 1);
  const auto third = memory.allocate(kGrain);
  EXPECT_EQ(first->address(), 0);
  EXPECT_EQ(second->address(), kGrain);
  EXPECT_EQ(second->size(), 2 * kGrain);
  EXPECT_EQ(third->address(), 3 * kGrain);
  second.reset();
  EXPECT_EQ(memory.held(), 2 * kGrain);
  EXPECT_EQ(memory.peak(), 4 * kGrain);
  EXPECT_EQ(memory.allocate(3 * kGrain)->address(), 4 * kGrain);
  EXPECT_EQ(memory.allocate(2 * kGrain)->address(), kGrain);
}

TEST(Hbm, HasAnotherPoisonForEachOperationAndSeed) {
  constexpr int kSeeds = 20;
  constexpr int kOperations = 50;
  std::set<uint64_t> patterns;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Hbm memory(kGrain, seed);
    Hbm again(kGrain, seed);
    for (int k = 0; k < kOperations; ++k) {
      patterns.insert(memory.pattern());
      EXPECT_EQ(memory.pattern(), again.pattern());
      memory.begin_operation();
      again.begin_operation();
    }
  }
  EXPECT_EQ(patterns.size(), kSeeds * kOperations);
}

// Bits of elements stay, those beside them in the same byte do not.
TEST(Hbm, PoisonsPaddingAlone) {
  Hbm memory(kGrain);
  const auto piece = memory.allocate(kGrain);
  const std::vector<std::byte> before(piece->bytes().begin(),
                                      piece->bytes().end());
  piece->bytes()[3] = std::byte{0x5a};
  piece->written()[3] = std::byte{0xf0};
  memory.begin_operation();
  piece->poison();
  const auto pattern = static_cast<unsigned>(memory.pattern() >> 24 & 0xff);
  EXPECT_EQ(piece->bytes()[3], static_cast<std::byte>(0x50 | (pattern & 0xf)));
  EXPECT_NE(piece->bytes()[4], before[4]);
  EXPECT_NE(piece->bytes().back(), before.back());
  EXPECT_TRUE(std::equal(piece->bytes().begin() + 8,
                         piece->bytes().begin() + 16,
                         piece->bytes().begin() + 16));
}

TEST(Hbm, StopsAtTheEndOfAPiece) {
  Hbm memory(kGrain);
  const auto first = memory.allocate(kGrain);
  const auto piece = memory.allocate(kGrain);
  piece->stop_beyond(kGrain);
  try {
    piece->stop_beyond(kGrain + 1);
    FAIL() << "a piece has more bytes than it was asked for";
  } catch (const Trap& trap) {
    EXPECT_EQ(trap.rule(), "tpu.bounds");
    EXPECT_STREQ(trap.what(),
                 "reaches the address 0x400, but the array must end before "
                 "0x400");
  }
}

}  // namespace
}  // namespace hlo::tpu
