#include "conformance/judge/worker.h"

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "interpreter/numeric/real/mpfr_real.h"

namespace hlo::conformance {
namespace {

std::atomic<int> threads_left_alone{0};

}  // namespace

/// Where jobs are handed over to one thread.
struct Worker::Desk {
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> job;  // null while there is nothing to do
  bool closed = false;
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
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return closed || job != nullptr; });
      if (job == nullptr) return;
      lock.unlock();
      job();
      lock.lock();
      job = nullptr;
      changed.notify_all();
    }
  }

  bool wait_for_end(Seconds most) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, most, [this] { return job == nullptr; });
  }

  void close() {
    const std::lock_guard lock(mutex);
    closed = true;
    changed.notify_all();
  }
};

Worker::Worker() : desk_(Desk::begin()) {}

Worker::~Worker() {
  desk_->close();
  if (desk_->thread.joinable()) desk_->thread.join();
}

bool Worker::run(std::function<void()> job, Seconds most) {
  if (!desk_->thread.joinable()) {
    job();
    return true;
  }
  {
    const std::lock_guard lock(desk_->mutex);
    desk_->job = std::move(job);
    desk_->changed.notify_all();
  }
  if (desk_->wait_for_end(most)) return true;
  ++threads_left_alone;
  desk_->close();
  desk_->thread.detach();
  desk_ = Desk::begin();
  return false;
}

int Worker::left_alone() { return threads_left_alone; }

void end_if_threads_run(int exit_code) {
  if (Worker::left_alone() > 0) std::_Exit(exit_code);
}

}  // namespace hlo::conformance
