#include "conformance/jobs/worker.h"

#include <gtest/gtest.h>

#include <new>
#include <optional>
#include <stdexcept>

namespace hlo::conformance {
namespace {

constexpr Seconds kLong{60};

TEST(Worker, ThrowsWhatAJobThrowsAndGoesOn) {
  Worker worker;
  EXPECT_THROW(worker.run([] { throw std::bad_alloc(); }, kLong),
               std::bad_alloc);
  bool is_done = false;
  EXPECT_TRUE(worker.run([&] { is_done = true; }, kLong));
  EXPECT_TRUE(is_done);
}

TEST(Worker, ThrowsWhatKeepsItFromTheNextJob) {
  Worker worker;
  int jobs = 0;
  const Worker::Next next = [&]() -> std::optional<Task> {
    if (jobs == 2) throw std::runtime_error("no third one");
    return Task{.job = [&] { ++jobs; }, .most = kLong};
  };
  EXPECT_THROW(worker.run_each(next), std::runtime_error);
  EXPECT_EQ(jobs, 2);
  EXPECT_TRUE(worker.run([&] { ++jobs; }, kLong));
  EXPECT_EQ(jobs, 3);
}

}  // namespace
}  // namespace hlo::conformance
