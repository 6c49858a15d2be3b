#pragma once

#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// Asks the device for what exact numbers need: subnormals, division, square
/// roots, -0 and products of 64 bits, rounded as IEEE 754 says, each by itself
/// and in the order of the text. DeviceError names what it computes otherwise.
void require_exact(Memory& memory);

}  // namespace hlo::gpu
