#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// scan.
Callers scan_functions();

}  // namespace hlo::cpu
