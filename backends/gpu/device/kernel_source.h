#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hlo::gpu {

/// A file of kernels/, without its ending.
struct KernelFile {
  std::string_view name;
  std::string_view text;
};

std::span<const KernelFile> kernel_files();

/// The text of all kernels behind that of a port: "port_opencl", "port_cuda".
std::string kernel_source(std::string_view port);

}  // namespace hlo::gpu
