#pragma once

#include <optional>

#include "backends/cpu/kernels/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// A select-and-scatter that selects by one comparison of its two parameters
/// and combines by one operation.
std::optional<Routine> window_scatter_routine(const Instruction& instruction);

}  // namespace hlo::cpu
