#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The functions of operations of constants, tuples, calls and loops.
Callers control_functions();

}  // namespace hlo::cpu
