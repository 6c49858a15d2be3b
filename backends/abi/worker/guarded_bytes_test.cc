#include "backends/abi/worker/guarded_bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <string>

#include "backends/process/frame.h"

namespace hlo::abi {
namespace {

TEST(GuardedBytes, FindsEachByteThatIsWrittenBeyondThem) {
  for (const uint64_t size : {0U, 1U, 63U, 64U, 65U}) {
    const GuardedBytes bytes(size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes.data()) % 64, 0U);
    EXPECT_EQ(bytes.view(), std::string(size, '\xa5'));
    for (int64_t at = -64; at < static_cast<int64_t>(size) + 64; ++at) {
      std::byte& byte = *(bytes.data() + at);
      byte ^= std::byte{1};
      const bool is_own = at >= 0 && at < static_cast<int64_t>(size);
      EXPECT_EQ(bytes.is_intact(), is_own) << at;
      byte ^= std::byte{1};
    }
    EXPECT_TRUE(bytes.is_intact());
  }
}

TEST(GuardedBytes, HoldsATextOrRefusesASize) {
  EXPECT_EQ(GuardedBytes(std::string_view("abc")).view(), "abc");
  EXPECT_EQ(GuardedBytes(std::string_view()).size(), 0U);
  EXPECT_THROW(GuardedBytes(UINT64_MAX), std::bad_alloc);
  EXPECT_THROW(GuardedBytes(process::kMostBody + 1), std::bad_alloc);
}

}  // namespace
}  // namespace hlo::abi
