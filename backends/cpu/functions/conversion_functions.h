#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The functions of operations between element types.
Functions conversion_functions();

}  // namespace hlo::cpu
