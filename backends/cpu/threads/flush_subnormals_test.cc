#include "backends/cpu/threads/flush_subnormals.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

/// Half of the least normal number, and twice that.
float halved_and_doubled() {
  volatile float x = 0x1p-126F;
  x = x * 0.5F;
  return x * 2.0F;
}

TEST(FlushSubnormals, LastsAsLongAsItLives) {
  EXPECT_EQ(halved_and_doubled(), 0x1p-126F);
  {
    const FlushSubnormals flush(true);
    EXPECT_TRUE(flushes_subnormals());
    EXPECT_EQ(halved_and_doubled(), 0);
    {
      const FlushSubnormals keep(false);
      EXPECT_EQ(halved_and_doubled(), 0x1p-126F);
    }
    EXPECT_TRUE(flushes_subnormals());
  }
  EXPECT_FALSE(flushes_subnormals());
  EXPECT_EQ(halved_and_doubled(), 0x1p-126F);
}

/// On how many of the bodies of a loop, each on a thread of its own, what is
/// subnormal stays.
int64_t that_keep() {
  constexpr int64_t kThreads = 3;
  const ThreadCount count(kThreads);
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(9);
  std::atomic<int64_t> begun = 0;
  std::atomic<int64_t> kept = 0;
  share_loop(kThreads, [&](int64_t) {
    ++begun;
    while (begun < kThreads && std::chrono::steady_clock::now() < last) {
      std::this_thread::yield();
    }
    if (halved_and_doubled() != 0) ++kept;
  });
  return kept;
}

TEST(FlushSubnormals, HoldsOnTheThreadsThatShareALoopAndNotBehindIt) {
  EXPECT_EQ(that_keep(), 3);
  {
    const FlushSubnormals flush(true);
    EXPECT_EQ(that_keep(), 0);
    const FlushSubnormals keep(false);
    EXPECT_EQ(that_keep(), 3);
  }
  EXPECT_EQ(that_keep(), 3);
}

}  // namespace
}  // namespace hlo::cpu
