#pragma once

#include "backends/cpu/kernels/tiles/tile_program.h"

namespace hlo::cpu {

/// Makes one operation of a difference and its exponential, where nothing else
/// reads the difference, and of an operation that narrows and the rounding to a
/// narrower type behind it, so that what is between is not written first.
/// Results have the same bits.
void join_operations(TileProgram& program);

}  // namespace hlo::cpu
