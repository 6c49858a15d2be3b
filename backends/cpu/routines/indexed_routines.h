#pragma once

#include <optional>

#include "backends/cpu/kernels/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

std::optional<Routine> gather_routine(const Instruction& gather);

/// A scatter of one array whose region is the update, or one operation of
/// element and update of integers, f32 or f64.
std::optional<Routine> scatter_routine(const Instruction& scatter);

}  // namespace hlo::cpu
