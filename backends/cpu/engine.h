#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The value of one instruction, by its function. Throws Unsupported.
Array run_one(const Instruction& instruction, Operands operands);
/// The result of the computation, one instruction after the other. Throws
/// Unsupported.
Array run(const Computation& computation, Operands arguments);

}  // namespace hlo::cpu
