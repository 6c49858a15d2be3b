#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace hlo {

/// "gpu:" and "gpu:?device=NAME&numerics=exact": one source of kernels on an
/// OpenCL or a CUDA device, or as C++ on this machine (fibers); the best that
/// there is where no device is named. Null where the URI is of another kind.
/// Error "usage.backend" for other options and for a device that is not there.
std::unique_ptr<Backend> make_gpu_backend(std::string_view uri);

/// The URIs of the devices.
std::vector<std::string> known_gpu_devices();
/// The name of the device of such a URI, or why there is none; "" for others.
std::string state_of_gpu_device(std::string_view uri);

}  // namespace hlo
