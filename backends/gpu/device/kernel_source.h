#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/gpu/device/device.h"

namespace hlo::gpu {

/// A file of kernels/, without its ending.
struct KernelFile {
  std::string_view name;
  std::string_view text;
};

std::span<const KernelFile> kernel_files();

/// The text of all kernels behind that of a port: "port_opencl", "port_cuda".
std::string kernel_source(std::string_view port);
/// The text of generated kernels, named by generated_name(0) and on, behind
/// what they stand on.
std::string kernel_source(std::string_view port,
                          std::span<const KernelText> kernels);
std::string generated_name(size_t k);
/// Those of the kernels whose texts `has` does not hold, each once.
std::vector<KernelText> new_kernels(
    std::span<const KernelText> kernels,
    const std::function<bool(const std::string&)>& has);

}  // namespace hlo::gpu
