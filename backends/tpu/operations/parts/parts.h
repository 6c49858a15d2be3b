#pragma once

#include <optional>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/operations/parts/split.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The arrays of the instruction's result in these shapes: some parts of the
/// operands at a time are gathered into the scratch memory, and what they give
/// is scattered to the tiles. Nothing where the scratch memory has no room for
/// a single part.
std::optional<std::vector<TiledArray>> by_parts(
    Machine& machine, const Instruction& instruction, const Split& split,
    const Values& operands, const std::vector<Shape>& shapes);

}  // namespace hlo::tpu
