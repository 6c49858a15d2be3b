#pragma once

#include <optional>

#include "backends/cpu/kernels/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// A topk of a type that key_of_type has.
std::optional<Routine> topk_routine(const Instruction& topk);

}  // namespace hlo::cpu
