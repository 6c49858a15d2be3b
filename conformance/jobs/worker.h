#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace hlo::conformance {

using Seconds = std::chrono::duration<double>;

/// A job, and how long it may take.
struct Task {
  std::function<void()> job;
  Seconds most;
};

/// A thread that does one job after another for someone who waits for each of
/// them, but not for ever.
class Worker {
 public:
  /// Called by the thread that does the jobs, while the caller waits: takes
  /// what the last one came to, and returns the next one, or nothing at the
  /// end.
  using Next = std::function<std::optional<Task>()>;

  Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Whether each job has ended within its time. Where one has not, its thread
  /// is left alone with it, and another one does the jobs that follow: what the
  /// job refers to must be its own. Throws what a job or `next` throws, which
  /// ends them. Where the system has no thread to give, the caller's does them,
  /// as long as it takes.
  bool run_each(const Next& next);
  /// Whether that one job has ended within its time, as run_each() has it.
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
