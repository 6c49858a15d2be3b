#pragma once

#include <cstdint>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/memory/tiled_array.h"

namespace hlo::tpu {

/// Writes the integer alone to a row-major position of an array.
void write_integer(Machine& machine, const TiledArray& array, int64_t element,
                   int64_t value);

}  // namespace hlo::tpu
