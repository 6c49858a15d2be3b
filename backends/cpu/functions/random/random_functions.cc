#include "backends/cpu/functions/random/random_functions.h"

#include "backends/cpu/functions/random/distributions.h"
#include "backends/cpu/functions/random/random_bits.h"
#include "backends/cpu/functions/random/random_state.h"
#include "backends/cpu/functions/random/stochastic_conversion.h"

namespace hlo::cpu {
namespace {

/// The state as it was; then a number that may be negative is added to it.
Array get_and_update_state(const Instruction& instruction, Operands) {
  const Counter before = random_state();
  const auto delta = instruction.get<int64_t>("delta");
  Counter after = advanced(before, static_cast<uint64_t>(delta));
  if (delta < 0) --after[1];  // the high half of a negative number
  random_state() = after;
  return store<uint64_t>(instruction.shape, before);
}

}  // namespace

Functions random_functions() {
  return {{"rng", random_numbers},
          {"rng-bit-generator", random_bits},
          {"rng-get-and-update-state", get_and_update_state},
          {"stochastic-convert", stochastic_conversion}};
}

}  // namespace hlo::cpu
