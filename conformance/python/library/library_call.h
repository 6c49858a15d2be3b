#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "conformance/python/library/run_request.h"
#include "conformance/python/library/stop_signal.h"

namespace hlo::conformance {

/// The answer to a request, whatever it is: errors are answers too. Nothing is
/// thrown but std::bad_alloc, where not even that can be said.
RequestAnswer answer_to(const std::string& request,
                        const std::vector<std::vector<std::byte>>& arrays,
                        StopSignal& stop);

/// A request that runs on a thread of its own.
class LibraryCall {
 public:
  LibraryCall(std::string request, std::vector<std::vector<std::byte>> arrays);
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;
  /// Waits for its end.
  ~LibraryCall();

  /// Waits so long at most; whether it has ended.
  bool wait(double seconds);
  void cancel();
  bool has_ended() const;

  /// False in a process that was forked while it ran: its thread is not there.
  bool has_thread() const { return getpid() == process_; }

  /// What came of a call that has ended.
  const RequestAnswer& answer() const { return answer_; }

 private:
  void run(const std::string& request,
           const std::vector<std::vector<std::byte>>& arrays) noexcept;

  mutable std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  StopSignal stop_;
  RequestAnswer answer_;
  pid_t process_ = getpid();
  std::thread thread_;
};

/// Takes a call that nobody waits for any more; what has ended of those is
/// thrown away.
void abandon(std::unique_ptr<LibraryCall> call);
/// Waits for the end of all that were abandoned.
void finish_abandoned();

}  // namespace hlo::conformance
