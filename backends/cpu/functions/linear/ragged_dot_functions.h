#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// ragged-dot.
Functions ragged_dot_functions();

}  // namespace hlo::cpu
