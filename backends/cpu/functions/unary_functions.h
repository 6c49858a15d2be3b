#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The functions of operations of one operand.
Functions unary_functions();

}  // namespace hlo::cpu
