#pragma once

#include <memory>

#include "backends/gpu/device/cuda_library.h"
#include "backends/gpu/device/device.h"

namespace hlo::gpu {

/// The first CUDA device, which calls these functions and keeps at most so many
/// generated kernels.
std::unique_ptr<Device> make_cuda_device(const CudaDriver& cuda, size_t kept);

}  // namespace hlo::gpu
