#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The functions of operations that are mathematical functions.
Functions math_functions();

}  // namespace hlo::cpu
