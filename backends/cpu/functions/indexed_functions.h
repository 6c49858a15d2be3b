#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The functions of operations that read elements at indices of an operand.
Functions indexed_functions();

}  // namespace hlo::cpu
