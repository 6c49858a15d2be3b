#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// How the devices run what is no communication: an instruction, and a region
/// that is applied to elements. Both throw Unsupported.
struct EngineCalls {
  Function run_one = nullptr;
  Array (*run)(const Computation&, Operands) = nullptr;
};

}  // namespace hlo::cpu
