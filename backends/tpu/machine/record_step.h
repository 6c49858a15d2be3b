#pragma once

#include "backends/tpu/machine/tiled_machine.h"

namespace hlo::tpu {

/// What the machine has done so far.
TileWork work_of(const Machine& machine);

/// Records the step, where the machine keeps a record.
void record_step(Machine& machine, const TiledArray& array, int64_t number,
                 bool is_store);

}  // namespace hlo::tpu
