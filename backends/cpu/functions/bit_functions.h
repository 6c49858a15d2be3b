#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The functions of operations on bits.
Functions bit_functions();

}  // namespace hlo::cpu
