#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "interpreter/error.h"

namespace hlo::conformance {

/// Runs devices side by side, each on a thread of its own, of which one runs at
/// a time: the next in their order that can go on, once another one waits or
/// has ended.
class DeviceTurns {
 public:
  /// Evaluate error "evaluate.devices" where there are more than 256.
  explicit DeviceTurns(int64_t count);

  /// Calls body(device) for each of them. Throws what the first of them threw.
  void run(const std::function<void(int64_t)>& body);

  /// Called by the body of a device: lets others run until ready() holds, which
  /// one of them makes true. Evaluate error "evaluate.deadlock", at `place`,
  /// where nobody can go on.
  void wait(int64_t device, const std::function<bool()>& ready,
            const Location& place);

 private:
  struct State {
    std::function<bool()> ready;
    Location place = {};  // where it waits
    bool ended = false;
  };

  /// Ends the thread of a device after another one has failed.
  struct Stopped {};

  void run_one(int64_t device, const std::function<void(int64_t)>& body);
  /// To the next one that can go on. Evaluate error "evaluate.deadlock".
  void pass_turn(int64_t from);
  void fail(std::exception_ptr error);
  void await_turn(std::unique_lock<std::mutex>& lock, int64_t device);

  std::vector<State> states_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int64_t turn_ = 0;
  std::exception_ptr error_;
};

}  // namespace hlo::conformance
