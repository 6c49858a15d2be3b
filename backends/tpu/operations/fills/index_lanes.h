#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The value of iota: each lane is filled from the index of its element.
TiledArray indices_in_lanes(Machine& machine, const Instruction& iota,
                            const Shape& shape);

}  // namespace hlo::tpu
