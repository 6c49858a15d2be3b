#pragma once

#include <vector>

#include "backends/cpu/arrays/function.h"
#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// The arrays of two or more devices, of one shape, joined element by element
/// by a combiner of scalars, or as wholes by one of arrays, in their order and
/// in the combiner's type. Floats are added without error and rounded once.
cpu::Array combined(Memory& memory, const Computation& combiner,
                    const std::vector<const cpu::Array*>& arrays);

}  // namespace hlo::gpu
