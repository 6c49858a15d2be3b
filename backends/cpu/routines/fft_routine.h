#pragma once

#include <optional>

#include "backends/cpu/kernels/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// fft of f32 or c64; IRFFT in one dimension.
std::optional<Routine> fft_routine(const Instruction& fft);

}  // namespace hlo::cpu
