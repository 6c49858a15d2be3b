#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The functions of operations that write elements where operands or windows
/// say.
Callers scatter_functions();

}  // namespace hlo::cpu
