#pragma once

#include "backends/cpu/function.h"

namespace hlo::cpu {

/// The function of convolution.
Functions convolution_functions();

}  // namespace hlo::cpu
