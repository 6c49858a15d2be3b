#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The value of the computation's root. Throws Unsupported and Error.
Value execute(Machine& machine, const Computation& computation,
              const Values& arguments);

}  // namespace hlo::tpu
