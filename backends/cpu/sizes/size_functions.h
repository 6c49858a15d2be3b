#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// set-dimension-size, get-dimension-size, dynamic-reshape.
Functions size_functions();

}  // namespace hlo::cpu
