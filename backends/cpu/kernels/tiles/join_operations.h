#pragma once

#include "backends/cpu/kernels/tiles/tile_program.h"

namespace hlo::cpu {

/// Makes one operation of a difference and its exponential, where nothing else
/// reads the difference, so that it is not written first. Results have the same
/// bits.
void join_operations(TileProgram& program);

}  // namespace hlo::cpu
