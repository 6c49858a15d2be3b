#pragma once

#include <optional>

#include "backends/cpu/kernels/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// A sort by keys, or by a comparator whose values are f32, s32 or pred.
std::optional<Routine> sort_routine(const Instruction& sort);

}  // namespace hlo::cpu
