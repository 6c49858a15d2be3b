#pragma once

#include <cstdint>
#include <utility>

#include "interpreter/run/evaluator.h"

namespace hlo {

/// Counts the steps that one thread takes in regions, and charges the evaluator
/// for many at a time.
class StepMeter {
 public:
  explicit StepMeter(Evaluator& evaluator) : evaluator_(evaluator) {}

  void count(int64_t steps) {
    constexpr int64_t kMany = 4096;
    pending_ += steps;
    if (pending_ >= kMany) settle();
  }

  /// Charges for what is left. Error "evaluate.steps".
  void settle() {
    if (pending_ > 0) evaluator_.spend(std::exchange(pending_, 0));
  }

 private:
  Evaluator& evaluator_;
  int64_t pending_ = 0;
};

}  // namespace hlo
