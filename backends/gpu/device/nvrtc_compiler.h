#pragma once

#include <string>

namespace hlo::gpu {

/// The kernels as PTX for a compute capability, "90" for an H100. DeviceError
/// where there is no NVRTC or it does not compile them.
std::string kernels_as_ptx(const std::string& capability);
/// Another text for it.
std::string as_ptx(const std::string& source, const std::string& capability);

}  // namespace hlo::gpu
