#include "conformance/files/process/peak_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

namespace hlo::conformance {
namespace {

TEST(PeakMemory, GrowsByWhatIsUsedAndStays) {
  constexpr size_t kBytes = size_t{64} << 20U;
  const auto before = peak_memory();
  ASSERT_TRUE(before.has_value());
  { const std::vector<char> used(kBytes, 'x'); }
  EXPECT_GE(*peak_memory(), static_cast<int64_t>(kBytes));
  EXPECT_GE(*peak_memory(), *before);
}

TEST(PeakMemory, OfAGroupHasItsProcesses) {
  const auto own = peak_memory();
  const auto all = peak_memory_of_group(getpgrp());
  ASSERT_TRUE(own && all);
  EXPECT_GE(*all, *own);
  EXPECT_FALSE(peak_memory_of_group(0x7fffffff).has_value());
}

TEST(PeakMemory, ReadsWhatTheSystemTells) {
  EXPECT_EQ(peak_in_status("Name:\tx\nVmHWM:\t    1536 kB\nVmRSS:\t1 kB\n"),
            1536 * 1024);
  for (const char* const text :
       {"", "VmHWM:", "a\nVmHWM:\tx kB\n", "a\nVmHWM:\t-1 kB\n",
        "a\nVmHWM:\t9223372036854775807 kB\n",
        "a\nVmHWM:\t99999999999999999999 kB\n"}) {
    EXPECT_FALSE(peak_in_status(text).has_value()) << text;
  }
  EXPECT_EQ(group_in_stat("12 (sh) S 3 4 5 0"), 4);
  EXPECT_EQ(group_in_stat("12 (a) R 9 9 (b) S 3 4 5 0"), 4);
  for (const char* const text : {"", "12", "12 (sh", "12 (sh)", "12 (sh) S",
                                 "12 (sh) S 3", "12 (sh) S 3 x"}) {
    EXPECT_FALSE(group_in_stat(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace hlo::conformance
