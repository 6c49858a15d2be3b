#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// cholesky, triangular-solve.
Functions triangular_functions();

}  // namespace hlo::cpu
