#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/layout_plan.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The value of a computation that runs to its end on the machine, in layouts
/// of a plan of its own.
using RunProgram =
    std::function<Value(const LayoutPlan& plan, const Computation& computation,
                        const Values& arguments)>;

/// The arrays of an instruction of which a part is larger than the scratch
/// memory: a program on blocks runs in its place, and what it does counts for
/// the instruction. Nothing where the operation has no such program.
std::optional<std::vector<TiledArray>> by_blocks(Machine& machine,
                                                 const Instruction& instruction,
                                                 const Values& operands,
                                                 const Leaves& shapes,
                                                 const RunProgram& run);

}  // namespace hlo::tpu
