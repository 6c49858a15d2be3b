#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The result of the computation. Throws Unsupported.
Array run(const Computation& computation, Operands arguments);

}  // namespace hlo::cpu
