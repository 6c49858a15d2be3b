#include "backends/cpu/kernels/sorting/find_below.h"

#include <gtest/gtest.h>

#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"

// What is expected is found element by element with KeyOf.

namespace hlo::cpu {
namespace {

constexpr uint32_t kWords[] = {
    0,          1,          0x007fffff, 0x00800000, 0x3f800000, 0x7f7fffff,
    0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff, 0x80000000, 0x80000001,
    0x80800000, 0xbf800000, 0xff7fffff, 0xff800000, 0xff800001, 0xffffffff};

/// Each word in one place of a block of others, before each limit.
void expect_found(const KeyOf<uint32_t>& key) {
  for (const uint32_t word : kWords) {
    for (const uint32_t limit : kWords) {
      for (const size_t place : {0U, 17U, 63U}) {
        // Two blocks: the limit itself is not below it.
        std::vector<uint32_t> words(2 * kLookedAt, limit);
        words[kLookedAt + place] = word;
        const int64_t expected = key(word) < key(limit) ? 1 : 2;
        ASSERT_EQ(find_below(key, words.data(), 2, key(limit)), expected)
            << word << " before " << limit;
      }
    }
  }
}

TEST(FindBelow, FindsTheFirstBlockForEachKey) {
  for (const KeyKind kind :
       {KeyKind::kUnsigned, KeyKind::kSigned, KeyKind::kFloat}) {
    for (unsigned flags = 0; flags < 8; ++flags) {
      const bool is_float = kind == KeyKind::kFloat;
      const KeyOf<uint32_t> key({.kind = kind,
                                 .infinity = 0x7f800000,
                                 .one_zero = is_float && (flags & 1U) != 0,
                                 .one_nan = is_float && (flags & 2U) != 0,
                                 .nan = 0x7fc00000,
                                 .descends = (flags & 4U) != 0});
      SCOPED_TRACE(flags);
      on_each_target([&] { expect_found(key); });
    }
  }
}

TEST(FindBelow, FindsNothingBelowTheLeast) {
  const std::vector<uint32_t> words(kLookedAt, 7);
  const KeyOf<uint32_t> key({.kind = KeyKind::kUnsigned});
  on_each_target([&] {
    EXPECT_EQ(find_below(key, words.data(), 1, 0), 1);
    EXPECT_EQ(find_below(key, words.data(), 1, 7), 1);
    EXPECT_EQ(find_below(key, words.data(), 1, 8), 0);
    EXPECT_EQ(find_below(key, words.data(), 0, UINT32_MAX), 0);
  });
}

}  // namespace
}  // namespace hlo::cpu
