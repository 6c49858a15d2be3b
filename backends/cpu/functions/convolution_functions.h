#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The function of convolution.
Functions convolution_functions();

}  // namespace hlo::cpu
