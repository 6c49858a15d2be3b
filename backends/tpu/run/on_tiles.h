#pragma once

#include <optional>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/layout_plan.h"
#include "backends/tpu/program/tiled_value.h"
#include "backends/tpu/run/by_blocks.h"

namespace hlo::tpu {

/// The arrays of the instruction's result by the tile algorithm of its
/// operation, which runs no computation by itself and whose operands have all
/// elements of their bounds; `run` runs programs in place of what the scratch
/// memory has no room for. Nothing where it has none. The arrays have the
/// layouts of `shapes`.
std::optional<std::vector<TiledArray>> on_tiles(Machine& machine,
                                                const Instruction& instruction,
                                                const Values& operands,
                                                const Leaves& shapes,
                                                const RunProgram& run);

}  // namespace hlo::tpu
