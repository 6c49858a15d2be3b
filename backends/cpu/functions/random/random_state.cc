#include "backends/cpu/functions/random/random_state.h"

namespace hlo::cpu {
namespace {

thread_local Counter own_state{};
thread_local Counter* current = nullptr;

}  // namespace

Counter advanced(Counter counter, uint64_t steps) {
  counter[0] += steps;
  if (counter[0] < steps) ++counter[1];
  return counter;
}

Counter& random_state() { return current == nullptr ? own_state : *current; }

UseRandomState::UseRandomState(Counter& state) : before_(current) {
  current = &state;
}

UseRandomState::~UseRandomState() { current = before_; }

}  // namespace hlo::cpu
