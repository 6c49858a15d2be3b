#pragma once

#include <optional>

#include "backends/cpu/routines/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// A reduce-window of one array by a region that combines two numbers.
std::optional<Routine> window_routine(const Instruction& reduce_window);

}  // namespace hlo::cpu
