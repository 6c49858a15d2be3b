#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// rng-bit-generator: the new state and the bits. Evaluate errors
/// "rng-bit-generator.state", "rng-bit-generator.bits".
Array random_bits(const Instruction& instruction, Operands operands);

}  // namespace hlo::cpu
