#include <algorithm>
#include <array>
#include <cstring>

#include "backends/gpu/device/cuda_library.h"
#include "backends/gpu/device/device.h"
#include "backends/gpu/device/nvrtc_compiler.h"

namespace hlo::gpu {
namespace {

using Handle = CudaDriver::Handle;
using Pointer = CudaDriver::Pointer;

void check(int status, const char* what) {
  if (status != 0) {
    throw DeviceError(std::string("CUDA: ") + what + " gives error " +
                      std::to_string(status));
  }
}

constexpr unsigned kLocalSize = 128;
constexpr unsigned kMostGroups = 65535;

class CudaDevice final : public Device {
 public:
  CudaDevice() {
    check(cuda_.init(0), "cuInit");
    check(cuda_.device_get(&device_, 0), "cuDeviceGet");
    check(cuda_.retain_context(&context_, device_), "cuDevicePrimaryCtxRetain");
    check(cuda_.set_context(context_), "cuCtxSetCurrent");
    size_t free = 0;
    size_t total = 0;
    check(cuda_.memory_info(&free, &total), "cuMemGetInfo");
    memory_ = free / 10 * 4;  // while the heap grows there are two
  }

  ~CudaDevice() override {
    if (context_ == nullptr) return;
    cuda_.set_context(context_);
    cuda_.synchronize();
    for (const Pointer buffer : {heap_, parameters_}) {
      if (buffer != 0) cuda_.release(buffer);
    }
    if (module_ != nullptr) cuda_.unload_module(module_);
    cuda_.release_context(device_);
  }

  void prepare() override {
    use();
    const std::string ptx = kernels_as_ptx(capability());
    check(cuda_.load_module(&module_, ptx.c_str()), "cuModuleLoadData");
    for (size_t k = 0; k < kKernels; ++k) {
      const std::string name(name_of(static_cast<Kernel>(k)));
      check(cuda_.get_function(&kernels_[k], module_, name.c_str()),
            "cuModuleGetFunction");
    }
  }

  std::string description() const override {
    std::array<char, 256> name{};
    cuda_.device_name(name.data(), name.size(), device_);
    return std::string("cuda, ") + name.data();
  }

  uint64_t memory() const override { return memory_; }

  uint64_t heap() const override { return heap_size_; }

  void grow(uint64_t bytes) override {
    if (bytes <= heap_size_) return;
    use();
    Pointer larger = 0;
    check(cuda_.allocate(&larger, bytes), "cuMemAlloc");
    if (heap_ != 0) {
      check(cuda_.copy(larger, heap_, heap_size_), "cuMemcpyDtoD");
      check(cuda_.synchronize(), "cuCtxSynchronize");
      cuda_.release(heap_);
    }
    heap_ = larger;
    heap_size_ = bytes;
  }

  void write(uint64_t offset, std::span<const std::byte> bytes) override {
    if (bytes.empty()) return;
    use();
    check(cuda_.write(heap_ + offset, bytes.data(), bytes.size()),
          "cuMemcpyHtoD");
  }

  void read(uint64_t offset, std::span<std::byte> bytes) override {
    if (bytes.empty()) return;
    use();
    check(cuda_.read(bytes.data(), heap_ + offset, bytes.size()),
          "cuMemcpyDtoH");
  }

  void run(Kernel kernel, std::span<const int64_t> parameters,
           int64_t items) override {
    use();
    send(parameters);
    std::array<void*, 2> arguments = {&heap_, &parameters_};
    const int64_t together = group_size(kernel);
    const auto local =
        together == 0 ? kLocalSize : static_cast<unsigned>(together);
    const int64_t groups =
        together == 0 ? (items + kLocalSize - 1) / kLocalSize : items;
    const auto grid =
        static_cast<unsigned>(std::min<int64_t>(groups, kMostGroups));
    check(cuda_.run(kernels_.at(static_cast<size_t>(kernel)), grid, 1, 1, local,
                    1, 1, 0, nullptr, arguments.data(), nullptr),
          "cuLaunchKernel");
  }

 private:
  std::string capability() const {
    int major = 0;
    int minor = 0;
    check(cuda_.device_attribute(&major, CudaDriver::kMajor, device_),
          "cuDeviceGetAttribute");
    check(cuda_.device_attribute(&minor, CudaDriver::kMinor, device_),
          "cuDeviceGetAttribute");
    return std::to_string(10 * major + minor);
  }

  /// This thread's calls are for the device.
  void use() const { check(cuda_.set_context(context_), "cuCtxSetCurrent"); }

  /// Makes the words the kernel's parameters: the copy waits for the kernels
  /// before it.
  void send(std::span<const int64_t> words) {
    if (words.size_bytes() > parameters_size_) {
      if (parameters_ != 0) cuda_.release(parameters_);
      parameters_ = 0;
      parameters_size_ = 2 * words.size_bytes();
      check(cuda_.allocate(&parameters_, parameters_size_), "cuMemAlloc");
    }
    check(cuda_.write(parameters_, words.data(), words.size_bytes()),
          "cuMemcpyHtoD");
  }

  CudaDriver cuda_;
  int device_ = 0;
  Handle context_ = nullptr;
  Handle module_ = nullptr;
  std::array<Handle, kKernels> kernels_{};
  Pointer heap_ = 0;
  Pointer parameters_ = 0;
  uint64_t memory_ = 0;
  uint64_t heap_size_ = 0;
  size_t parameters_size_ = 0;
};

}  // namespace

std::unique_ptr<Device> make_cuda_device() {
  return std::make_unique<CudaDevice>();
}

}  // namespace hlo::gpu
