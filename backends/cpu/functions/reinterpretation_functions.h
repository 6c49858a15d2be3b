#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The functions of operations that read bits as another type.
Functions reinterpretation_functions();

}  // namespace hlo::cpu
