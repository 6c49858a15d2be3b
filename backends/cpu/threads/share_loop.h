#pragma once

#include <cstdint>
#include <functional>

namespace hlo::cpu {

/// While it lives, one more thread of this process runs programs of its own:
/// helpers only take what cores then are left.
class RunningProgram {
 public:
  RunningProgram();
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
};

/// While it lives, loops of this thread are shared by so many threads, however
/// many cores there are.
class ThreadCount {
 public:
  explicit ThreadCount(int64_t count);
  ~ThreadCount();
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int64_t before_;
};

/// How many threads share a long loop of this thread, at most.
int64_t most_threads();

/// Calls body(0) ... body(count - 1), each once, on this thread and on helpers
/// that are idle. The bodies write to places of their own. What the first one
/// that fails throws is thrown again, when all have ended.
void share_loop(int64_t count, const std::function<void(int64_t)>& body);
/// Calls them in the same way, so many one after the other on a thread.
void share_loop(int64_t count, int64_t some,
                const std::function<void(int64_t)>& body);

}  // namespace hlo::cpu
