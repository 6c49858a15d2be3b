#pragma once

#include <optional>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The array of set-dimension-size, get-dimension-size or dynamic-reshape;
/// nothing for other operations.
std::optional<TiledArray> resized(Machine& machine,
                                  const Instruction& instruction,
                                  const Values& operands);

}  // namespace hlo::tpu
