#pragma once

#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// Whether the custom-call does nothing but mark its operand for others.
bool is_marker(const Instruction& custom_call);

}  // namespace hlo::gpu
