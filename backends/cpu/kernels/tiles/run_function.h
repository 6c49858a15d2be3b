#pragma once

#include <cstddef>

#include "backends/cpu/kernels/tiles/tile_program.h"

namespace hlo::cpu {

/// Computes the operation on n lanes of each register, rounded up to whole
/// vectors, where it is a function of f32 that is computed in double: within
/// 2^-28 of the exact value, relative, and then rounded. False of all others.
bool run_function(const TileOp& op, std::byte* const* registers, size_t n);

}  // namespace hlo::cpu
