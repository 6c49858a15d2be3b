#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// scaled-dot.
Functions scaled_dot_functions();

}  // namespace hlo::cpu
