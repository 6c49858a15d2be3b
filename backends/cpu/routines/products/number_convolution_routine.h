#pragma once

#include <optional>

#include "backends/cpu/kernels/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// Convolutions of f64, of integers of 32 and 64 bits and of complex numbers,
/// as products of matrices by multiply_numbers. Nullopt of other types, and
/// where byte_convolution_routine declines.
std::optional<Routine> number_convolution_routine(
    const Instruction& convolution);

}  // namespace hlo::cpu
