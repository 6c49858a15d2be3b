#pragma once

#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The arrays of scatter's result: each register of the operands with the
/// updates that go to it.
std::vector<TiledArray> scattered(Machine& machine, const Instruction& scatter,
                                  const Values& operands,
                                  const std::vector<Shape>& shapes);

/// The array of select-and-scatter: the initial value in all lanes, with the
/// source's elements that go to those chosen under the windows.
TiledArray selected_and_scattered(Machine& machine,
                                  const Instruction& instruction,
                                  const Values& operands, const Shape& shape);

}  // namespace hlo::tpu
