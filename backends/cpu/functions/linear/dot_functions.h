#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The function of dot.
Functions dot_functions();

}  // namespace hlo::cpu
