#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The value with all arrays in the memory of this machine: copies of those
/// that lie in another one's, in their layouts.
Value brought(Machine& machine, Value value);

}  // namespace hlo::tpu
