#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// fft.
Functions fft_functions();

}  // namespace hlo::cpu
