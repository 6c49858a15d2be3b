#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// rng, rng-bit-generator, rng-get-and-update-state, stochastic-convert.
Functions random_functions();

}  // namespace hlo::cpu
