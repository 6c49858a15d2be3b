#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/layout_plan.h"
#include "backends/tpu/program/tiled_value.h"
#include "backends/tpu/run/by_blocks.h"

namespace hlo::tpu {

/// The value of an instruction that runs no computations and talks to nobody.
/// `read` are the operands as its lanes meet, `leaves` its layouts, which the
/// value may still lack. Throws Unsupported and Error.
Value instruction_value(Machine& machine, const Instruction& instruction,
                        const Values& operands, const Values& read,
                        const Leaves& leaves, const RunProgram& run);

}  // namespace hlo::tpu
