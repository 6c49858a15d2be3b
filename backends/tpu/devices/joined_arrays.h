#pragma once

#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/memory/tiled_array.h"
#include "interpreter/model/module.h"

namespace hlo::tpu {

/// Arrays of one shape, which may lie in the memories of others, joined lane by
/// lane by a combiner of scalars in their order, in the machine's memory. Sums
/// of floats are rounded once. The result has the arrays' type, or the
/// combiner's where both are floats.
TiledArray joined_arrays(Machine& machine, const Computation& combiner,
                         const std::vector<const TiledArray*>& arrays);

}  // namespace hlo::tpu
