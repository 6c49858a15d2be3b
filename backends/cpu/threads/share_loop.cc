#include "backends/cpu/threads/share_loop.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "backends/cpu/threads/flush_subnormals.h"

namespace hlo::cpu {
namespace {

thread_local int64_t wanted_threads = 0;  // 0: as many as there are cores

/// How long a thread that has nothing to do looks for more before it sleeps:
/// to wake it takes about as long as a loop that is worth sharing.
constexpr std::chrono::microseconds kAwake{100};

int64_t cores() {
  static const auto count =
      static_cast<int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  return count;
}

void pause_shortly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Waits awake for what is soon true; whether it is.
template <typename Condition>
bool is_soon(const Condition& condition) {
  constexpr int kLooks = 32;  // at the condition for one at the clock
  const auto last = std::chrono::steady_clock::now() + kAwake;
  do {
    for (int i = 0; i < kLooks; ++i) {
      if (condition()) return true;
      pause_shortly();
    }
  } while (std::chrono::steady_clock::now() < last);
  return condition();
}

/// One loop that is being shared.
struct Loop {
  const std::function<void(int64_t)>* body = nullptr;
  int64_t count = 0;
  int64_t helpers_left = 0;  // how many more may join
  bool flushes = false;      // subnormal numbers, as who shares it
  std::atomic<int64_t> next{0};
  std::atomic<int64_t> inside{0};  // helpers that are at it
  std::mutex mutex;
  std::exception_ptr error;  // the first of a body

  void work() {
    try {
      for (int64_t i = next++; i < count; i = next++) (*body)(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      next = count;
    }
  }
};

class Pool {
 public:
  static Pool& shared() {
    static Pool pool;
    return pool;
  }

  void run(Loop& loop) {
    {
      const std::lock_guard lock(mutex_);
      start(static_cast<size_t>(loop.helpers_left));
      loops_.push_back(&loop);
      ++begun_;
    }
    work_.notify_all();
    loop.work();
    std::unique_lock lock(mutex_);
    loops_.remove(&loop);
    if (loop.inside != 0) {
      lock.unlock();
      is_soon([&] { return loop.inside == 0; });
      lock.lock();
    }
    done_.wait(lock, [&] { return loop.inside == 0; });
    if (loop.error) std::rethrow_exception(loop.error);
  }

  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    work_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
  }

 private:
  /// Starts helpers until there are so many; fewer where the system refuses.
  void start(size_t count) {
    try {
      while (helpers_.size() < count) helpers_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
      return;
    }
  }

  Loop* open_loop() {
    for (Loop* loop : loops_) {
      if (loop->helpers_left > 0 && loop->next < loop->count) return loop;
    }
    return nullptr;
  }

  /// Awake at first, but for those that would take others' cores.
  void await_loop(std::unique_lock<std::mutex>& lock) {
    const uint64_t before = begun_;
    if (awake_ + 1 < cores()) {
      ++awake_;
      lock.unlock();
      is_soon([&] { return begun_ != before; });
      lock.lock();
      --awake_;
    }
    if (begun_ == before && !ends_) work_.wait(lock);
  }

  void help() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
      Loop* loop = open_loop();
      if (loop == nullptr) {
        await_loop(lock);
        continue;
      }
      --loop->helpers_left;
      ++loop->inside;
      lock.unlock();
      {
        const FlushSubnormals flush(loop->flushes);
        loop->work();
      }
      lock.lock();
      --loop->inside;
      done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable done_;
  std::list<Loop*> loops_;
  std::vector<std::thread> helpers_;
  std::atomic<uint64_t> begun_{0};  // loops so far
  int64_t awake_ = 0;               // helpers that wait awake
  bool ends_ = false;
};

std::atomic<int64_t>& running_programs() {
  static std::atomic<int64_t> count{0};
  return count;
}

int64_t helpers_for(int64_t count) {
  if (wanted_threads > 0) return std::min(wanted_threads, count) - 1;
  return std::min(count, cores()) - std::max<int64_t>(1, running_programs());
}

}  // namespace

RunningProgram::RunningProgram() { ++running_programs(); }

RunningProgram::~RunningProgram() { --running_programs(); }

ThreadCount::ThreadCount(int64_t count) : before_(wanted_threads) {
  wanted_threads = count;
}

ThreadCount::~ThreadCount() { wanted_threads = before_; }

int64_t most_threads() {
  return 1 + std::max<int64_t>(0, helpers_for(INT64_MAX));
}

void share_loop(int64_t count, const std::function<void(int64_t)>& body) {
  const int64_t helpers = helpers_for(count);
  if (helpers <= 0) {
    for (int64_t i = 0; i < count; ++i) body(i);
    return;
  }
  Loop loop;
  loop.body = &body;
  loop.count = count;
  loop.helpers_left = helpers;
  loop.flushes = flushes_subnormals();
  Pool::shared().run(loop);
}

void share_loop(int64_t count, int64_t some,
                const std::function<void(int64_t)>& body) {
  share_loop((count + some - 1) / some, [&](int64_t task) {
    const int64_t last = std::min(count, (task + 1) * some);
    for (int64_t i = task * some; i < last; ++i) body(i);
  });
}

}  // namespace hlo::cpu
