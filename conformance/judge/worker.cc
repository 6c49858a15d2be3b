#include "conformance/judge/worker.h"

#include <atomic>
#include <cstdlib>
#include <semaphore>
#include <system_error>
#include <thread>
#include <utility>

#include "interpreter/numeric/real/mpfr_real.h"

namespace hlo::conformance {
namespace {

std::atomic<int> threads_left_alone{0};

/// Whether it could be acquired without going to sleep: that and waking up take
/// longer than most jobs.
bool acquire_soon(std::binary_semaphore& semaphore) {
  constexpr std::chrono::microseconds kSoon{50};
  const auto end = std::chrono::steady_clock::now() + kSoon;
  while (std::chrono::steady_clock::now() < end) {
    if (semaphore.try_acquire()) return true;
  }
  return false;
}

}  // namespace

/// Where jobs are handed over to one thread.
struct Worker::Desk {
  std::function<void()> job;       // of the thread from `given` to `done`
  std::binary_semaphore given{0};  // without a job, the thread ends
  std::binary_semaphore done{0};
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
      if (!acquire_soon(given)) given.acquire();
      if (job == nullptr) return;
      job();
      job = nullptr;
      done.release();
    }
  }
};

Worker::Worker() : desk_(Desk::begin()) {}

Worker::~Worker() {
  desk_->given.release();
  if (desk_->thread.joinable()) desk_->thread.join();
}

bool Worker::run(std::function<void()> job, Seconds most) {
  if (!desk_->thread.joinable()) {
    job();
    return true;
  }
  desk_->job = std::move(job);
  desk_->given.release();
  if (acquire_soon(desk_->done) || desk_->done.try_acquire_for(most)) {
    return true;
  }
  ++threads_left_alone;
  desk_->given.release();
  desk_->thread.detach();
  desk_ = Desk::begin();
  return false;
}

int Worker::left_alone() { return threads_left_alone; }

void end_if_threads_run(int exit_code) {
  if (Worker::left_alone() > 0) std::_Exit(exit_code);
}

}  // namespace hlo::conformance
