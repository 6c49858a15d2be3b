#pragma once

#include <optional>

#include "backends/cpu/kernels/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// A dot of arrays of one type, by products of matrices of bytes or of wider
/// numbers.
std::optional<Routine> dot_routine(const Instruction& dot);

}  // namespace hlo::cpu
