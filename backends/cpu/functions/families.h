#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// What the folders of this one run, which know the types of their operands.
Functions functions_of_families();
/// Those that may run computations.
Callers callers_of_families();

}  // namespace hlo::cpu
