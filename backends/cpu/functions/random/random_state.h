#pragma once

#include <array>
#include <cstdint>

namespace hlo::cpu {

/// A number of 128 bits, the low half first.
using Counter = std::array<uint64_t, 2>;

/// counter + steps, modulo 2^128.
Counter advanced(Counter counter, uint64_t steps);

/// The state of rng and rng-get-and-update-state on the device that runs in
/// this thread: a state of 0 where nobody says another one.
Counter& random_state();

/// While it lives, this thread's instructions take that state.
class UseRandomState {
 public:
  explicit UseRandomState(Counter& state);
  ~UseRandomState();
  UseRandomState(const UseRandomState&) = delete;
  UseRandomState& operator=(const UseRandomState&) = delete;

 private:
  Counter* before_;
};

}  // namespace hlo::cpu
