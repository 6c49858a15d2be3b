#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The value of a custom-call whose target is no element-wise function, which
/// neither marks its operand nor runs programs. Evaluate error
/// "custom-call.target" where nobody has its function, or none can take it.
Value called(Machine& machine, const Instruction& custom_call,
             const Values& operands);

}  // namespace hlo::tpu
