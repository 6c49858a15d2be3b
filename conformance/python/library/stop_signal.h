#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "interpreter/run/budget.h"

namespace hlo::conformance {

/// Stops what a request does from another thread: takes its budget.
class StopSignal {
 public:
  /// A budget that stop() takes, or has taken.
  std::shared_ptr<Budget> budget(int64_t most) {
    const std::lock_guard lock(mutex_);
    budget_ = std::make_shared<Budget>(most);
    if (stopped_) take_all();
    return budget_;
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (budget_ != nullptr) take_all();
  }

 private:
  /// More than all: who asks whether anything is left is answered, too.
  void take_all() { budget_->take(budget_->most() + 1); }

  std::mutex mutex_;
  std::shared_ptr<Budget> budget_;
  bool stopped_ = false;
};

}  // namespace hlo::conformance
