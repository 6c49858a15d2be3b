#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The functions of operations of two operands.
Functions binary_functions();

}  // namespace hlo::cpu
