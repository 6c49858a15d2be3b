#pragma once

#include <cstdint>
#include <utility>

#include "interpreter/run/evaluator.h"

namespace hlo {

/// Counts the work that one thread does in regions, and charges the evaluator
/// for much at a time; for the rest at its end, which the instruction's own end
/// then checks.
class WorkMeter {
 public:
  explicit WorkMeter(Evaluator& evaluator) : evaluator_(evaluator) {}

  WorkMeter(const WorkMeter&) = delete;
  WorkMeter& operator=(const WorkMeter&) = delete;

  ~WorkMeter() { evaluator_.budget().take(pending_); }

  void count(int64_t work) {
    constexpr int64_t kMuch = 1 << 16;
    pending_ += work;
    if (pending_ >= kMuch)
      evaluator_.budget().spend(std::exchange(pending_, 0));
  }

 private:
  Evaluator& evaluator_;
  int64_t pending_ = 0;
};

}  // namespace hlo
