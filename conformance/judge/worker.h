#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace hlo::conformance {

using Seconds = std::chrono::duration<double>;

/// A thread that does one job after another for someone who waits for each of
/// them, but not for ever.
class Worker {
 public:
  Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Whether the job has ended within that time. Where it has not, its thread
  /// is left alone with it, and another one does the jobs that follow: what the
  /// job refers to must be its own. A job must not throw.
  /// Where the system has no thread to give, the caller's does it, as long as
  /// it takes.
  bool run(std::function<void()> job, Seconds most);

  /// How many threads of the process have been left alone.
  static int left_alone();

 private:
  struct Desk;

  std::shared_ptr<Desk> desk_;
};

/// Ends the process with that exit code where threads were left alone, which
/// may use what is destroyed at its end. Everything must have been written.
void end_if_threads_run(int exit_code);

}  // namespace hlo::conformance
