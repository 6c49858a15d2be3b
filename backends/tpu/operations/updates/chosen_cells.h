#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/operations/updates/next_updates.h"
#include "backends/tpu/program/tiled_value.h"
#include "interpreter/plans/fold/fold.h"

namespace hlo::tpu {

/// Which element of the array each window chooses by the comparison
/// `windows.reducer`: {its position, the place of the window}, place by place.
/// The first cell is chosen, or a later one where the comparison of the choice
/// so far with it is false. Windows and array outlive it.
NextUpdates chosen_cells(Machine& machine, const Fold& windows,
                         const TiledArray& array, int64_t places);

}  // namespace hlo::tpu
