#include "backends/cpu/arrays/block_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "backends/cpu/arrays/array.h"
#include "interpreter/model/array_memory.h"

namespace hlo::cpu {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

/// Nothing is kept when a test begins.
class BlockPool : public testing::Test {
 protected:
  BlockPool() : limit_(most_memory()) {
    // More than can be held frees what is kept.
    EXPECT_FALSE(hold_memory(std::numeric_limits<int64_t>::max() / 2));
    EXPECT_EQ(kept_bytes(), 0);
  }

  ~BlockPool() override { set_most_memory(limit_); }

 private:
  int64_t limit_;
};

TEST_F(BlockPool, GivesWhatCameBackToWhoTakesAsMuch) {
  std::byte* const block = take_block(kMiB);
  std::memset(block, 1, kMiB);
  give_block(block, kMiB);
  EXPECT_EQ(kept_bytes(), kMiB);
  std::byte* const other = take_block(kMiB / 2);
  EXPECT_NE(other, block);
  // One of nearly that size.
  std::byte* const again = take_block(kMiB - 100);
  EXPECT_EQ(again, block);
  EXPECT_EQ(kept_bytes(), 0);
  give_block(other, kMiB / 2);
  give_block(again, kMiB - 100);
}

TEST_F(BlockPool, KeepsNoSmallBlocks) {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{65535}}) {
    give_block(take_block(size), size);
    EXPECT_EQ(kept_bytes(), 0);
  }
  give_block(take_block(65536), 65536);
  EXPECT_EQ(kept_bytes(), 65536);
}

TEST_F(BlockPool, FreesWhatNobodyElseNeeds) {
  for (const size_t size : {size_t{1}, 3 * kMiB}) {
    std::byte* const block = take_block(size);
    std::memset(block, 1, size);
    free_block(block, size);
    EXPECT_EQ(kept_bytes(), 0);
  }
}

TEST_F(BlockPool, KeepsABoundedNumberOfBytesTheLastOnes) {
  constexpr size_t kSize = 48 * kMiB;  // touched by nobody
  std::vector<std::byte*> blocks;
  for (int i = 0; i < 7; ++i) blocks.push_back(take_block(kSize));
  for (std::byte* const block : blocks) give_block(block, kSize);
  EXPECT_EQ(kept_bytes(), 5 * kSize);
  EXPECT_EQ(take_block(kSize), blocks.back());
  give_block(blocks.back(), kSize);
  std::byte* const large = take_block(300 * kMiB);
  give_block(large, 300 * kMiB);
  EXPECT_EQ(kept_bytes(), 5 * kSize);
}

TEST_F(BlockPool, KeepsABoundedNumberOfBlocks) {
  std::vector<std::byte*> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(take_block(65536));
  for (std::byte* const block : blocks) give_block(block, 65536);
  EXPECT_EQ(kept_bytes(), 64 * 65536);
}

TEST_F(BlockPool, FreesWhatItKeepsWhereMemoryIsShort) {
  const int64_t before = held_memory();
  give_block(take_block(8 * kMiB), 8 * kMiB);
  EXPECT_EQ(held_memory(), before + 8 * static_cast<int64_t>(kMiB));
  set_most_memory(before + 10 * static_cast<int64_t>(kMiB));
  EXPECT_TRUE(hold_memory(4 * static_cast<int64_t>(kMiB)));
  EXPECT_EQ(kept_bytes(), 0);
  // There is no room for it beside those.
  give_block(take_block(8 * kMiB), 8 * kMiB);
  EXPECT_EQ(kept_bytes(), 0);
  release_memory(4 * static_cast<int64_t>(kMiB));
  EXPECT_EQ(held_memory(), before);
}

TEST_F(BlockPool, IsSharedByThreads) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto own = static_cast<std::byte>(t);
      for (size_t i = 0; i < 200; ++i) {
        const size_t size = 65536 + i % 3 * 8192;
        std::byte* const block = take_block(size);
        std::memset(block, static_cast<int>(t), size);
        if (block[0] != own || block[size - 1] != own) ++wrong[t];
        give_block(block, size);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST_F(BlockPool, HasTheMemoryOfArrays) {
  const Shape shape = Shape::array(ElementType::kF32, {512, 512});
  const std::byte* memory = nullptr;
  {
    const Array array = Array::unwritten(shape);
    memory = array.bytes.data();
    const Array copy = array;
    EXPECT_NE(copy.bytes.data(), memory);
    EXPECT_EQ(kept_bytes(), 0);
  }
  EXPECT_EQ(kept_bytes(), kMiB);
  EXPECT_EQ(Array::unwritten(shape).bytes.data(), memory);
}

}  // namespace
}  // namespace hlo::cpu
