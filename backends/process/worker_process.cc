#include "backends/process/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <optional>
#include <system_error>
#include <thread>

#include "interpreter/run/time_limit.h"

namespace hlo::process {
namespace {

constexpr Seconds kGrace{0.5};    // between being told to end and being ended
constexpr Seconds kEnding{2};     // between closing its output and its end
constexpr Seconds kGlance{0.05};  // how often an end is looked for
constexpr size_t kChunk = size_t{1} << 16U;
constexpr size_t kMostWords = 4096;

// A second process of the group reads from a pipe that nobody writes to: it
// wakes when the last owner of the other end is gone, whatever ended that. It
// is no child of the worker, which may wait for all of its own. The shell gives
// way to the command, or it would keep the ends of pipes open that the worker
// closes.
constexpr const char* kScript =
    "((read -r _; kill -KILL $$ 0) <&3 >/dev/null 2>&1 &) "
    "</dev/null >/dev/null 2>&1; exec 3<&-; eval \"exec $1\"";
constexpr int kGuard = 3;

[[noreturn]] void fail_to_start(int error) {
  throw BadWorker("cannot be started: " +
                  std::generic_category().message(error));
}

struct Pipe {
  PipeEnd read;
  PipeEnd write;
};

/// The end once more, above the numbers that the worker's own ends get.
PipeEnd raised(const PipeEnd& low) {
  constexpr int kAboveThem = 10;
  const int high = fcntl(low.get(), F_DUPFD_CLOEXEC, kAboveThem);
  if (high < 0) fail_to_start(errno);
  return PipeEnd(high);
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail_to_start(errno);
  const PipeEnd read(ends[0]);
  const PipeEnd write(ends[1]);
  return {.read = raised(read), .write = raised(write)};
}

void never_wait(const PipeEnd& end) {
  fcntl(end.get(), F_SETFL, fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

/// What posix_spawn is told: a group of its own, no signals blocked, and the
/// ends of pipes under the numbers 0 to 3.
class SpawnPlan {
 public:
  explicit SpawnPlan(const std::array<int, 4>& ends) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    for (size_t k = 0; k < ends.size(); ++k) {
      posix_spawn_file_actions_adddup2(&actions_, ends.at(k),
                                       static_cast<int>(k));
    }
    sigset_t none{};
    sigset_t pipes{};
    sigemptyset(&none);
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &pipes);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP |
                                               POSIX_SPAWN_SETSIGMASK |
                                               POSIX_SPAWN_SETSIGDEF);
  }

  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  pid_t spawn(const std::string& command) const {
    std::string worker = command;
    std::string script = kScript;
    std::string shell = "sh";
    std::string option = "-c";
    std::string name = "worker";
    const std::array<char*, 6> words = {shell.data(),  option.data(),
                                        script.data(), name.data(),
                                        worker.data(), nullptr};
    pid_t pid = -1;
    const int error = posix_spawn(&pid, "/bin/sh", &actions_, &attributes_,
                                  words.data(), environ);
    if (error != 0) fail_to_start(error);
    return pid;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// While it lives, writing where nobody reads is an error of this thread and no
/// signal.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipes_);
    sigaddset(&pipes_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipes_, &before_);
  }

  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

  ~NoPipeSignal() {
    const timespec none{};
    if (sigismember(&before_, SIGPIPE) == 0) {
      while (sigtimedwait(&pipes_, nullptr, &none) > 0) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipes_{};
  sigset_t before_{};
};

bool is_for_later(ssize_t result) {
  return result < 0 && (errno == EAGAIN || errno == EINTR);
}

}  // namespace

void PipeEnd::reset() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

WorkerProcess::WorkerProcess(const std::string& command)
    : pieces_(kChunk, '\0') {
  spawn(command);
}

void WorkerProcess::spawn(const std::string& command) {
  Pipe to = make_pipe();
  Pipe from = make_pipe();
  Pipe errors = make_pipe();
  Pipe guard = make_pipe();
  for (const PipeEnd* own : {&to.write, &from.read, &errors.read}) {
    never_wait(*own);
  }
  static_assert(kGuard == 3);
  const SpawnPlan plan(
      {to.read.get(), from.write.get(), errors.write.get(), guard.read.get()});
  pid_ = plan.spawn(command);
  to_ = std::move(to.write);
  from_ = std::move(from.read);
  errors_ = std::move(errors.read);
  guard_ = std::move(guard.write);
}

WorkerProcess::~WorkerProcess() {
  to_.reset();
  from_.reset();
  if (pid_ > 0) ends_within(kGrace);
  kill();
}

void WorkerProcess::kill() {
  if (pid_ <= 0) return;
  if (!has_ended()) {
    signal_group(SIGTERM);
    ends_within(kGrace);
  }
  // The group keeps its number until its first process is waited for.
  signal_group(SIGKILL);
  guard_.reset();
  ends_within(kGrace);
  waitpid(std::exchange(pid_, -1), nullptr, WNOHANG);
}

/// The worker may have left its group.
void WorkerProcess::signal_group(int signal) const {
  ::kill(-pid_, signal);
  ::kill(pid_, signal);
}

bool WorkerProcess::has_ended() const {
  siginfo_t info{};
  const int result = waitid(P_PID, static_cast<id_t>(pid_), &info,
                            WEXITED | WNOHANG | WNOWAIT);
  return result != 0 || info.si_pid == pid_;
}

bool WorkerProcess::ends_within(Seconds most) const {
  const auto end = std::chrono::steady_clock::now() + most;
  while (!has_ended()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

bool WorkerProcess::is_ready() {
  std::array<pollfd, 2> ends = {{{from_.get(), POLLIN, 0}, {to_.get(), 0, 0}}};
  const int found = poll(ends.data(), ends.size(), 0);
  return found == 0 && came_.empty() && reads_ && !has_ended();
}

bool WorkerProcess::speaks_unasked() const {
  pollfd end = {from_.get(), POLLIN, 0};
  poll(&end, 1, 0);
  return !came_.empty() || (end.revents & POLLIN) != 0;
}

std::string WorkerProcess::last_words() {
  take_words();
  return words_;
}

void WorkerProcess::ask(const Frame& request) {
  take_words();
  words_.clear();
  to_send_ = to_bytes(request);
  sent_ = 0;
}

Frame WorkerProcess::answer(uint64_t most_body, Seconds most) {
  using Clock = TimeLimit::Clock;
  FrameReader reader(most_body);
  look_.reset();
  came_ = std::string(reader.take(came_));
  TimeLimit limit(Clock::now(), most, [this] { return waited(); });
  std::optional<Clock::time_point> last;  // where what came is wrong
  while (!reader.is_complete()) {
    const auto now = Clock::now();
    if ((last && now > *last) || limit.is_over(now)) {
      report_silence(reader, most);
    }
    wait_for_events(last ? std::min(*last, limit.end()) : limit.end());
    send_some();
    // A little more may come of what is wrong, which says what it is.
    if (!last && (!reads_ || reader.is_wrong())) {
      last = Clock::now() + std::chrono::duration_cast<Clock::duration>(kGrace);
    }
    take_words();
    const bool ended = has_ended();  // all that it wrote is in the pipe
    if (!take_some(reader) || (ended && !reader.is_complete())) {
      report_end(reader);
    }
  }
  return reader.frame();
}

/// How long the group had waited for a processor when it was looked at last.
/// Those who wait for this thread are told what is new since the answer began.
std::chrono::nanoseconds WorkerProcess::waited() {
  constexpr Seconds kPause{0.2};  // a look reads files of all processes
  const auto now = TimeLimit::Clock::now();
  if (look_ && now - look_->time < kPause) return look_->waited;
  const auto waited = waited_by_group(pid_);
  if (look_ && waited > look_->waited) tell_waited(waited - look_->waited);
  look_ = {.time = now, .waited = waited};
  return waited;
}

void WorkerProcess::wait_for_events(Time until) const {
  const bool sends = reads_ && sent_ < to_send_.size();
  const Seconds left = until - std::chrono::steady_clock::now();
  const double wait = left.count() > 0
                          ? std::clamp(left.count(), 0.001, kGlance.count())
                          : kGlance.count();
  std::array<pollfd, 3> ends = {{{from_.get(), POLLIN, 0},
                                 {errors_.get(), POLLIN, 0},
                                 {sends ? to_.get() : -1, POLLOUT, 0}}};
  poll(ends.data(), ends.size(), static_cast<int>(wait * 1000));
}

void WorkerProcess::send_some() {
  if (!reads_ || sent_ == to_send_.size()) return;
  const NoPipeSignal no_signal;
  const std::string_view left = std::string_view(to_send_).substr(sent_);
  const ssize_t sent =
      write(to_.get(), left.data(), std::min(left.size(), kChunk));
  if (sent > 0) sent_ += static_cast<size_t>(sent);
  reads_ = sent > 0 || is_for_later(sent);
}

/// Whether more may come: takes all that has come, but no flood for ever.
bool WorkerProcess::take_some(FrameReader& reader) {
  for (int k = 0; k < 64 && !reader.is_complete(); ++k) {
    const ssize_t got = read(from_.get(), pieces_.data(), pieces_.size());
    if (is_for_later(got)) return true;
    if (got <= 0) return false;
    came_ = reader.take(
        std::string_view(pieces_).substr(0, static_cast<size_t>(got)));
  }
  return true;
}

void WorkerProcess::take_words() {
  if (errors_.get() < 0) return;
  for (int k = 0; k < 16; ++k) {
    const ssize_t got = read(errors_.get(), pieces_.data(), pieces_.size());
    if (is_for_later(got)) return;
    if (got <= 0) return errors_.reset();
    words_.append(pieces_, 0, static_cast<size_t>(got));
    words_.erase(0, words_.size() - std::min(words_.size(), kMostWords));
  }
}

void WorkerProcess::report_silence(const FrameReader& reader,
                                   Seconds most) const {
  reader.end();
  if (!reads_) throw BadWorker("closed its standard input");
  throw SilentWorker(fmt::format("did not answer{} within {:g} s",
                                 reader.is_empty() ? "" : " to the end",
                                 most.count()));
}

void WorkerProcess::report_end(const FrameReader& reader) const {
  reader.end();
  const std::string where =
      reader.is_empty() ? " without an answer" : " in the middle of its answer";
  if (ends_within(kEnding)) throw BadWorker(how_it_ended() + where);
  throw BadWorker("closed its standard output" + where);
}

std::string WorkerProcess::how_it_ended() const {
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (info.si_code == CLD_EXITED) {
    return "ended with the exit code " + std::to_string(info.si_status);
  }
  return "was ended by the signal " + std::to_string(info.si_status);
}

}  // namespace hlo::process
