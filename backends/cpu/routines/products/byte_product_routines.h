#pragma once

#include <optional>

#include "backends/cpu/kernels/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// Dots and convolutions of integers of at most 8 bits into 32: sums of
/// products modulo 2^32, by multiply_bytes. Nullopt of other types, and of
/// convolutions with reversed windows, groups of batches or very narrow groups
/// of features.
std::optional<Routine> byte_dot_routine(const Instruction& dot);
std::optional<Routine> byte_convolution_routine(const Instruction& convolution);

}  // namespace hlo::cpu
