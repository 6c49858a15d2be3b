#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace hlo::conformance {

/// How far work is.
struct WorkDone {
  std::string text;   // "12 of 40 cases"
  double share = 0;   // of all of it, from 0 to 1; 0: nobody knows
  bool most = false;  // it may also end before that
};

/// The line that tells how far long work is and about how long the rest will
/// take: on a terminal, from half a second on, until this ends. It asks in a
/// thread of its own, which must be safe.
class Progress {
 public:
  explicit Progress(std::function<WorkDone()> ask);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

 private:
  using Clock = std::chrono::steady_clock;

  void watch();

  std::function<WorkDone()> ask_;
  Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

/// Progress of work that is counted: "12 of 40 cases".
class CountedProgress {
 public:
  /// There are `total`, of a noun in the singular. `more` is asked for what
  /// stands behind the numbers: ", 2 differ".
  CountedProgress(int64_t total, std::string noun,
                  std::function<std::string()> more = {});

  void step(int64_t count = 1) { done_ += count; }

  /// So many were done before this run, in no time.
  void skip(int64_t count) { skipped_ += count; }

 private:
  std::atomic<int64_t> done_ = 0;
  std::atomic<int64_t> skipped_ = 0;
  Progress progress_;
};

/// What stands behind that: "; about 1:05 left". Nothing where the
/// share is unknown.
std::string left_text(const WorkDone& done,
                      std::chrono::duration<double> elapsed);

}  // namespace hlo::conformance
