#include "interpreter/model/array_memory.h"

#include <gtest/gtest.h>

namespace hlo {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

/// What somebody keeps.
int64_t kept = 0;
int calls = 0;

void free_kept() {
  ++calls;
  release_memory(kept);
  kept = 0;
}

TEST(ArrayMemory, AsksForSpareMemoryBeforeItIsRefused) {
  const int64_t limit = most_memory();
  const int64_t before = held_memory();
  set_most_memory(before + 4 * kMiB);
  calls = 0;
  kept = 3 * kMiB;
  EXPECT_TRUE(hold_memory(kept));
  set_spare_memory(free_kept);
  EXPECT_TRUE(hold_memory(kMiB));
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(hold_memory(2 * kMiB));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(held_memory(), before + 3 * kMiB);
  EXPECT_FALSE(hold_memory(2 * kMiB));
  EXPECT_EQ(calls, 2);
  set_spare_memory(nullptr);
  EXPECT_FALSE(hold_memory(2 * kMiB));
  EXPECT_EQ(calls, 2);
  release_memory(3 * kMiB);
  EXPECT_EQ(held_memory(), before);
  set_most_memory(limit);
}

TEST(ArrayMemory, LeavesSpareMemoryWhereThereIsEnough) {
  calls = 0;
  set_spare_memory(free_kept);
  void* const memory = allocate_array(kMiB, false);
  EXPECT_NE(memory, nullptr);
  EXPECT_EQ(calls, 0);
  release_array(memory, kMiB);
  set_spare_memory(nullptr);
}

}  // namespace
}  // namespace hlo
