#include "backends/gpu/device/nvrtc_compiler.h"

#include <array>

#include "backends/gpu/device/cuda_library.h"
#include "backends/gpu/device/device.h"
#include "backends/gpu/device/kernel_source.h"

namespace hlo::gpu {
namespace {

/// A program of NVRTC, destroyed at the end.
class Program {
 public:
  Program(const Nvrtc& nvrtc, const std::string& source) : nvrtc_(nvrtc) {
    if (nvrtc_.create(&program_, source.c_str(), "kernels.cu", 0, nullptr,
                      nullptr) != 0) {
      throw DeviceError("NVRTC does not take the kernels");
    }
  }

  ~Program() { nvrtc_.destroy(&program_); }

  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string compiled(const std::string& architecture) const {
    const std::array<const char*, 6> options = {
        architecture.c_str(), "--fmad=false",     "--ftz=false",
        "--prec-div=true",    "--prec-sqrt=true", "--std=c++17"};
    size_t size = 0;
    if (nvrtc_.compile(program_, options.size(), options.data()) != 0) {
      nvrtc_.log_size(program_, &size);
      std::string log(size, '\0');
      nvrtc_.log(program_, log.data());
      throw DeviceError("NVRTC does not compile the kernels: " +
                        log.substr(0, 2000));
    }
    nvrtc_.ptx_size(program_, &size);
    std::string text(size, '\0');
    nvrtc_.ptx(program_, text.data());
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }

 private:
  const Nvrtc& nvrtc_;
  Nvrtc::Program program_ = nullptr;
};

}  // namespace

std::string kernels_as_ptx(const std::string& capability) {
  return as_ptx(kernel_source("port_cuda"), capability);
}

std::string as_ptx(const std::string& source, const std::string& capability) {
  const Nvrtc nvrtc;
  return Program(nvrtc, source)
      .compiled("--gpu-architecture=compute_" + capability);
}

}  // namespace hlo::gpu
