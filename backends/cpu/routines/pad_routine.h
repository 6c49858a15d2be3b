#pragma once

#include <optional>

#include "backends/cpu/kernels/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

std::optional<Routine> pad_routine(const Instruction& pad);

}  // namespace hlo::cpu
