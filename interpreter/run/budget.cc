#include "interpreter/run/budget.h"

#include <algorithm>
#include <limits>
#include <string>

#include "interpreter/error.h"

namespace hlo {

Budget::Budget(int64_t most) : most_(std::clamp(most, int64_t{1}, kEndless)) {}

int64_t Budget::by_inputs(int64_t elements) {
  constexpr int64_t kAlways = 2'000'000'000;
  constexpr int64_t kPerElement = 1024;
  const int64_t counted = std::min(elements, kEndless / kPerElement);
  return std::min(kAlways + kPerElement * counted, kEndless);
}

void Budget::spend(int64_t work) {
  if (work > most_) {
    const bool is_endless = work == std::numeric_limits<int64_t>::max();
    refuse(Phase::kEvaluate, "evaluate.work",
           {"it would take ", is_endless ? "more than " : "about ",
            Count{work, "unit"}, " of work"},
           "a run can take at most " + std::to_string(most_) + " (--max-work)");
  }
  take(work);
  require_evaluable(
      spent_ <= most_, "evaluate.work",
      {"the program has not ended after ", Count{most_, "unit"}, " of work"},
      "it must end within that (--max-work)");
}

void Budget::take(int64_t work) noexcept {
  // More than all makes no difference, and so many threads that the sum of what
  // they take overflows do not exist.
  spent_ += std::min(work, most_ + 1);
}

}  // namespace hlo
