#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The functions of operations that move elements.
Functions movement_functions();

}  // namespace hlo::cpu
