#pragma once

#include <cstdint>

#include "backends/gpu/device/device.h"

namespace hlo::gpu {

/// A kernel as a function: one item's work.
using HostKernel = void (*)(uint8_t* heap, const int64_t* parameters);

HostKernel host_kernel(Kernel kernel);

}  // namespace hlo::gpu
