#pragma once

#include <cstdint>

#include "interpreter/counted.h"
#include "interpreter/error.h"

namespace hlo {

/// Throws the error "evaluate.steps" where a program has run for more than
/// `most` instructions.
inline void require_steps(int64_t steps, int64_t most, Location at = {}) {
  if (steps <= most) return;
  throw Error(Phase::kEvaluate, "evaluate.steps",
              "the program has run " + counted(most, "instruction") +
                  " without ending, which is the limit (--max-steps)",
              at);
}

}  // namespace hlo
