#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "backends/process/frame.h"

namespace hlo::process {

using Seconds = std::chrono::duration<double>;

/// One end of a pipe, closed at the end.
class PipeEnd {
 public:
  explicit PipeEnd(int fd = -1) : fd_(fd) {}

  PipeEnd(PipeEnd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

  PipeEnd& operator=(PipeEnd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  ~PipeEnd() { reset(); }

  void reset();

  int get() const { return fd_; }

 private:
  int fd_;
};

/// A command that a shell runs, in a process group of its own, with pipes for
/// what it reads and writes. At the end of this, or of the process that has it,
/// however that ends, the group is killed.
class WorkerProcess {
 public:
  /// BadWorker where the system starts none.
  explicit WorkerProcess(const std::string& command);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  /// Lets it end by itself for a short time before it is told to.
  ~WorkerProcess();

  /// Hands over a frame, which is sent while answers are waited for.
  void ask(const Frame& request);
  /// The next frame that comes back. BadWorker where none comes in that time
  /// (TimeLimit: the clock stands while the group waits for a processor), its
  /// body is longer than `most_body`, or the worker breaks off; then there
  /// is no use in going on with it.
  Frame answer(uint64_t most_body, Seconds most);

  /// The number of its group of processes.
  pid_t group() const { return pid_; }

  /// Whether it runs, reads, and has written nothing since the last frame.
  bool is_ready();
  /// Whether something came behind the last frame.
  bool speaks_unasked() const;
  /// The end of what it has written to standard error since it was asked last.
  std::string last_words();
  /// Ends it and its group: at once but for half a second that SIGTERM leaves.
  void kill();

 private:
  using Time = std::chrono::steady_clock::time_point;

  struct Look {
    Time time;
    std::chrono::nanoseconds waited;
  };

  void spawn(const std::string& command);
  void send_some();
  bool take_some(FrameReader& reader);
  void take_words();
  std::chrono::nanoseconds waited();
  bool has_ended() const;
  bool ends_within(Seconds most) const;
  void wait_for_events(Time until) const;
  [[noreturn]] void report_silence(const FrameReader& reader,
                                   Seconds most) const;
  [[noreturn]] void report_end(const FrameReader& reader) const;
  std::string how_it_ended() const;
  void signal_group(int signal) const;

  pid_t pid_ = -1;  // its group's number, too
  PipeEnd to_;
  PipeEnd from_;
  PipeEnd errors_;
  PipeEnd guard_;  // the group ends when this is closed
  bool reads_ = true;
  std::string to_send_;
  size_t sent_ = 0;     // of that
  std::string came_;    // behind the last frame
  std::string pieces_;  // what is read goes here first
  std::string words_;
  std::optional<Look> look_;  // at what the group waited, for this answer
};

}  // namespace hlo::process
