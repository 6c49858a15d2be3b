#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// Whether the instruction is a collective or begins one.
bool is_collective(const Instruction& instruction);
/// The value of a collective that a device which is alone runs, or begins, with
/// itself. Evaluate errors as the operation's page has them.
Value meet_alone(Machine& machine, const Instruction& collective,
                 const Values& operands);

}  // namespace hlo::tpu
