#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// Whether a custom-call's target is a function of the specification: names of
/// CHLO, MHLO and StableHLO.
bool is_custom_function(std::string_view target);
/// Its value; an array has the sizes of its operands at run time.
Array custom_function(const Instruction& instruction, Operands operands);

}  // namespace hlo::cpu
