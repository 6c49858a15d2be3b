#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace hlo {

/// How long that thread of this process has been ready to run and had no
/// processor since it began, as far as the system tells (Linux does; else 0).
std::chrono::nanoseconds waited_by_thread(pid_t thread);

/// The sum of what all threads of a group of processes have waited for a
/// processor, those apart that have ended.
std::chrono::nanoseconds waited_by_group(pid_t group);

/// The number of the thread that calls this.
pid_t this_thread();

/// How long something may take, whose clock stands while that waits for a
/// processor: on a machine that does other work, what would end in time alone
/// ends in time. After ten times as long it is over whatever was waited.
class TimeLimit {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  /// How long it has waited for a processor until now.
  using Waited = std::function<std::chrono::nanoseconds()>;

  /// From `begin` on.
  TimeLimit(Clock::time_point begin, Seconds most, Waited waited);

  /// When it is over where nothing waits.
  Clock::time_point end() const;
  /// Whether it is over. To be asked again and again: what was waited before it
  /// was asked for the first time, or in the first 50 ms, is not seen.
  bool is_over(Clock::time_point now);

 private:
  Clock::time_point begin_;
  Seconds most_;
  Waited waited_;
  std::optional<std::chrono::nanoseconds> before_;
};

/// While it lives, what this thread tells that others have waited for it is
/// added here, in nanoseconds.
class WaitedForScope {
 public:
  explicit WaitedForScope(std::atomic<int64_t>& waited);
  ~WaitedForScope();
  WaitedForScope(const WaitedForScope&) = delete;
  WaitedForScope& operator=(const WaitedForScope&) = delete;

 private:
  std::atomic<int64_t>* outer_;
};

/// Tells that a process that this thread waits for has itself waited for a
/// processor, for that long.
void tell_waited(std::chrono::nanoseconds waited);

}  // namespace hlo
