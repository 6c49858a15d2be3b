#pragma once

#include <functional>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// Runs a computation on arguments.
using CallComputation = std::function<Value(const Computation&, const Values&)>;

/// Whether a scan's slices have the types that its body takes and gives, and
/// there are any inputs: what scan() takes.
bool has_plain_slices(const Instruction& scan, const Values& operands);

/// The value of a scan: its body takes slices of the inputs, gathered from
/// their tiles, and what it gives is scattered into those of the outputs.
Value scan(Machine& machine, const Instruction& instruction,
           const Values& operands, const CallComputation& call);

}  // namespace hlo::tpu
