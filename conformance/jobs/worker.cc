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

namespace hlo::conformance {
namespace {

std::atomic<int> threads_left_alone{0};

}  // namespace

/// Where jobs are handed over to one thread, which takes one after the other
/// without anybody's help: the one who waits looks whether a job is late.
struct Worker::Desk {
  using Time = std::chrono::steady_clock::time_point;

  std::binary_semaphore given{0};  // without `next`, the thread ends
  std::binary_semaphore done{0};
  std::mutex mutex;  // held by whoever asks for a job, or gives one up
  const Next* next = nullptr;
  Time late = Time::max();  // when the job at hand is
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
      late = Time::max();
    }
  }

  /// Nothing where there are none, or nobody waits for them any more.
  std::function<void()> take() {
    const std::lock_guard lock(mutex);
    if (is_left_alone) return nullptr;
    late = Time::max();
    std::optional<Task> task = (*next)();
    if (!task) {
      next = nullptr;
      return nullptr;
    }
    late = std::chrono::steady_clock::now() +
           std::chrono::duration_cast<Time::duration>(task->most);
    return std::move(task->job);
  }

  /// Waits for all jobs; whether none of them was late. The one that comes next
  /// may be late before the one at hand: nobody wakes this one for it.
  bool wait() {
    constexpr std::chrono::milliseconds kGlance{50};
    auto until = std::chrono::steady_clock::now();
    while (!done.try_acquire_until(until)) {
      const std::lock_guard lock(mutex);
      const auto now = std::chrono::steady_clock::now();
      if (late <= now) {
        is_left_alone = true;
        return false;
      }
      until = std::min(late, now + kGlance);
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
