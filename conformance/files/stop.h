#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

namespace hlo::conformance {

/// While one thread has it, no other thread ends the run because of a signal:
/// what is done in the meantime is done as a whole.
std::unique_lock<std::recursive_mutex> uninterrupted();

/// What is to be done before a signal ends the run, for as long as it lives.
class OnStop {
 public:
  explicit OnStop(std::function<void()> action);
  OnStop(const OnStop&) = delete;
  OnStop& operator=(const OnStop&) = delete;
  ~OnStop();

 private:
  friend void run_stop_actions();

  std::function<void()> action_;
};

/// Runs the actions, the newest first.
void run_stop_actions();

/// While it lives, a thread waits for SIGINT, SIGTERM and SIGHUP, but for those
/// that are ignored, and then ends the process with the exit code that `end`
/// returns for the signal; a second signal ends it at once. It must be there
/// before any other thread is; behind its end nobody takes signals any more.
/// Where the system starts no thread, a signal ends the process at once.
class StopSignals {
 public:
  explicit StopSignals(std::function<int(int)> end);
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

 private:
  void watch();

  std::function<int(int)> end_;
  sigset_t awaited_{};
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace hlo::conformance
