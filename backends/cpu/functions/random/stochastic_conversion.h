#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// stochastic-convert: floats in another type, up or down by random bits.
Array stochastic_conversion(const Instruction& instruction, Operands operands);

}  // namespace hlo::cpu
