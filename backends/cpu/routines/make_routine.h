#pragma once

#include <optional>

#include "backends/cpu/kernels/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// What runs an instruction on arrays of other sizes than 0; nullopt where its
/// function does.
std::optional<Routine> make_routine(const Instruction& instruction);

}  // namespace hlo::cpu
