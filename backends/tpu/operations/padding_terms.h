#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/memory/tiled_array.h"

namespace hlo::tpu {

/// Whether a broken machine folds padding of the array's tiles, too.
bool folds_padding(const Machine& machine, const TiledArray& array);

/// What it takes for a term of the first `lanes` lanes: 0, or what its memory
/// holds.
Register padding_terms(Machine& machine, const TiledArray& array,
                       int64_t lanes);

}  // namespace hlo::tpu
