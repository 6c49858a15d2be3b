#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::gpu {

/// What runs the instruction on the host; null where the device does. The host
/// does what turns on sizes and layouts alone, and changes no number: sizes
/// that are given and taken, bits under another layout.
cpu::Function host_function(const Instruction& instruction);

}  // namespace hlo::gpu
