#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/gpu/device/device.h"
#include "backends/gpu/device/recent.h"

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

/// The generated kernels of a device, by their texts. A pointer releases its
/// kernel, and with the last of a program the program.
using GeneratedKernels = Recent<std::shared_ptr<void>>;

/// How many of them a device keeps: on PoCL one takes some 1 MiB, and a program
/// of more kernels would compile them anew in each run, for 0.3 s and more
/// each.
inline constexpr size_t kKeptKernels = 256;

/// The kernels that are to be compiled: no more than are kept. Those that are
/// there are used, so that these do not take their places.
std::vector<KernelText> new_kernels(std::span<const KernelText> kernels,
                                    GeneratedKernels& generated);

}  // namespace hlo::gpu
