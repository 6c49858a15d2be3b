#pragma once

#include <vector>

#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// The value of the computation's root. Control flow is the host's, everything
/// else the device's. Throws Unsupported, DeviceError and Error.
Value evaluate(Memory& memory, const Computation& computation,
               const Values& arguments);
/// The value of one instruction that talks to no other device.
Value evaluate(Memory& memory, const Instruction& instruction,
               const Values& operands);

}  // namespace hlo::gpu
