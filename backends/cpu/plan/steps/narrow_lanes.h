#pragma once

#include "backends/cpu/kernels/tiles/tile_program.h"

namespace hlo::cpu {

/// Where all that a program reads and writes are integers of 8 bits and truth
/// values, or integers of 16 bits, and each operation gives the same for them:
/// computes it in lanes as wide as they are, four or two times as many at once.
/// Such lanes need no wrapping.
void use_narrow_lanes(TileProgram& program);

}  // namespace hlo::cpu
