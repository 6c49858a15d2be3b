#include "interpreter/run/time_limit.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <thread>

namespace hlo {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using Time = TimeLimit::Clock::time_point;
using Limit = TimeLimit::Seconds;

TEST(TimeLimit, EndsAtItsTimeWhereNothingWaits) {
  const Time begin{};
  TimeLimit limit(begin, Limit(2), [] { return seconds(7); });
  EXPECT_EQ(limit.end(), begin + seconds(2));
  EXPECT_FALSE(limit.is_over(begin + milliseconds(1)));
  EXPECT_FALSE(limit.is_over(begin + milliseconds(1999)));
  EXPECT_TRUE(limit.is_over(begin + milliseconds(2000)));
}

TEST(TimeLimit, StandsWhileItWaitsForAProcessor) {
  const Time begin{};
  nanoseconds waited = seconds(100);  // before it began
  TimeLimit limit(begin, Limit(2), [&] { return waited; });
  EXPECT_FALSE(limit.is_over(begin + milliseconds(60)));
  waited += seconds(3);
  EXPECT_FALSE(limit.is_over(begin + milliseconds(4999)));
  EXPECT_TRUE(limit.is_over(begin + milliseconds(5000)));
}

TEST(TimeLimit, EndsAtTenTimesItsTimeWhateverWaits) {
  const Time begin{};
  nanoseconds waited{0};
  TimeLimit limit(begin, Limit(2), [&] { return waited; });
  EXPECT_FALSE(limit.is_over(begin + milliseconds(60)));
  waited = seconds(1000);
  EXPECT_FALSE(limit.is_over(begin + milliseconds(19999)));
  EXPECT_TRUE(limit.is_over(begin + milliseconds(20000)));
}

TEST(TimeLimit, EndsThoughWhatHasWaitedIsGone) {
  const Time begin{};
  nanoseconds waited = seconds(50);
  TimeLimit limit(begin, Limit(2), [&] { return waited; });
  EXPECT_FALSE(limit.is_over(begin + milliseconds(60)));
  waited = seconds(0);  // its threads have ended
  EXPECT_TRUE(limit.is_over(begin + milliseconds(2001)));
}

TEST(TimeLimit, TellsThoseWhoWaitForAThread) {
  std::atomic<int64_t> outer{0};
  std::atomic<int64_t> inner{0};
  tell_waited(seconds(1));  // nobody waits
  const WaitedForScope outer_scope(outer);
  tell_waited(nanoseconds(3));
  {
    const WaitedForScope inner_scope(inner);
    tell_waited(nanoseconds(4));
  }
  tell_waited(nanoseconds(5));
  EXPECT_EQ(outer, 8);
  EXPECT_EQ(inner, 4);
}

/// Keeps the first processor that this process may use busy.
void spin_on_one(milliseconds time) {
  cpu_set_t all;
  sched_getaffinity(0, sizeof all, &all);
  size_t first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
  const Time end = TimeLimit::Clock::now() + time;
  while (TimeLimit::Clock::now() < end) {
  }
}

TEST(TimeLimit, SeesThatThreadsOnOneProcessorWaitForEachOther) {
  if (!std::filesystem::exists("/proc/self/schedstat")) {
    GTEST_SKIP() << "this system does not tell how long a thread has waited";
  }
  std::array<nanoseconds, 3> waited{};
  {
    std::array<std::jthread, 3> threads;
    for (size_t k = 0; k < threads.size(); ++k) {
      threads.at(k) = std::jthread([&, k] {
        spin_on_one(milliseconds(200));
        waited.at(k) = waited_by_thread(this_thread());
      });
    }
  }
  // Each has had a third of the processor, or less.
  nanoseconds sum{0};
  for (const nanoseconds one : waited) sum += one;
  EXPECT_GT(sum, milliseconds(200));
  EXPECT_GT(waited_by_group(getpgrp()), nanoseconds(0));
}

TEST(TimeLimit, SeesNothingOfThreadsAndGroupsThatAreNot) {
  EXPECT_EQ(waited_by_thread(0), nanoseconds(0));
  EXPECT_EQ(waited_by_group(0x7fffffff), nanoseconds(0));
}

}  // namespace
}  // namespace hlo
