#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// rng: element i takes the block of Philox with key 0 at the state plus i, and
/// the state moves on by the number of elements.
Array random_numbers(const Instruction& instruction, Operands operands);

}  // namespace hlo::cpu
