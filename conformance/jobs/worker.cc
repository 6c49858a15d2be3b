#include "conformance/jobs/worker.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <semaphore>
#include <system_error>
#include <thread>
#include <utility>

#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/run/time_limit.h"

namespace hlo::conformance {
namespace {

std::atomic<int> threads_left_alone{0};

}  // namespace

/// Where jobs are handed over to one thread, which takes one after the other
/// without anybody's help: the one who waits looks whether a job is late.
struct Worker::Desk {
  using Clock = TimeLimit::Clock;

  std::binary_semaphore given{0};  // without `next`, the thread ends
  std::binary_semaphore done{0};
  std::mutex mutex;  // held by whoever asks for a job, or gives one up
  const Next* next = nullptr;
  std::optional<TimeLimit> limit;  // of the job at hand
  pid_t worker = 0;                // the thread's number
  std::atomic<int64_t> waited_for{0};
  bool is_left_alone = false;
  std::exception_ptr thrown;
  std::thread thread;

  /// Without a thread where the system has none to give.
  static std::shared_ptr<Desk> begin() {
    auto desk = std::make_shared<Desk>();
    try {
      desk->thread = std::thread([desk] {
        numeric::free_constants_with_thread();  // whatever the jobs compute
        desk->serve();
      });
    } catch (const std::system_error&) {
      return desk;
    }
    return desk;
  }

  void serve() {
    worker = this_thread();
    const WaitedForScope scope(waited_for);
    while (true) {
      given.acquire();
      if (next == nullptr) return;
      do_all();
      if (is_left_alone) return;
      done.release();
    }
  }

  void do_all() {
    try {
      while (const std::function<void()> job = take()) job();
    } catch (...) {
      const std::lock_guard lock(mutex);
      thrown = std::current_exception();
      next = nullptr;
      limit.reset();
    }
  }

  /// Nothing where there are none, or nobody waits for them any more.
  std::function<void()> take() {
    const std::lock_guard lock(mutex);
    if (is_left_alone) return nullptr;
    limit.reset();
    std::optional<Task> task = (*next)();
    if (!task) {
      next = nullptr;
      return nullptr;
    }
    limit.emplace(Clock::now(), task->most, [this] { return waited(); });
    return std::move(task->job);
  }

  /// How long the thread, or processes that it waits for, had no processor.
  std::chrono::nanoseconds waited() const {
    return waited_by_thread(worker) + std::chrono::nanoseconds(waited_for);
  }

  /// Waits for all jobs; whether none of them was late. The one that comes next
  /// may be late before the one at hand: nobody wakes this one for it.
  bool wait() {
    constexpr std::chrono::milliseconds kGlance{50};
    auto until = Clock::now();
    while (!done.try_acquire_until(until)) {
      const std::lock_guard lock(mutex);
      const auto now = Clock::now();
      if (limit && limit->is_over(now)) {
        is_left_alone = true;
        return false;
      }
      until = now + kGlance;
      if (limit && limit->end() > now) until = std::min(until, limit->end());
    }
    return true;
  }
};

Worker::Worker() : desk_(Desk::begin()) {}

Worker::~Worker() {
  desk_->given.release();
  if (desk_->thread.joinable()) desk_->thread.join();
}

bool Worker::run_each(const Next& next) {
  if (!desk_->thread.joinable()) {
    while (const std::optional<Task> task = next()) task->job();
    return true;
  }
  desk_->next = &next;
  desk_->given.release();
  if (desk_->wait()) {
    if (desk_->thrown) std::rethrow_exception(std::exchange(desk_->thrown, {}));
    return true;
  }
  ++threads_left_alone;
  desk_->thread.detach();
  desk_ = Desk::begin();
  return false;
}

bool Worker::run(std::function<void()> job, Seconds most) {
  std::optional<Task> task = Task{.job = std::move(job), .most = most};
  return run_each([&] { return std::exchange(task, std::nullopt); });
}

int Worker::left_alone() { return threads_left_alone; }

void end_if_threads_run(int exit_code) {
  if (Worker::left_alone() > 0) std::_Exit(exit_code);
}

}  // namespace hlo::conformance
