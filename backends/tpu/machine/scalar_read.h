#pragma once

#include <cstdint>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/memory/tiled_array.h"

namespace hlo::tpu {

/// The integer at a row-major position of an array, signed as its type is,
/// read alone; u64 above INT64_MAX is that. Trap "tpu.padding" where no element
/// was stored there.
int64_t integer_at(Machine& machine, const TiledArray& array, int64_t element);

}  // namespace hlo::tpu
