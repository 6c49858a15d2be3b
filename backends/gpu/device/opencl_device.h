#pragma once

#include <memory>

#include "backends/gpu/device/device.h"
#include "backends/gpu/device/opencl_library.h"

namespace hlo::gpu {

/// The first OpenCL device, which calls these functions and keeps at most so
/// many generated kernels.
std::unique_ptr<Device> make_opencl_device(const OpenCl& cl, size_t kept);

}  // namespace hlo::gpu
