#pragma once

#include "backends/cpu/function.h"

namespace hlo::cpu {

/// The function of dot.
Functions dot_functions();

}  // namespace hlo::cpu
