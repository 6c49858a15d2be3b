#include "backends/gpu/device/cuda_device.h"

#include <algorithm>
#include <array>
#include <vector>

#include "backends/gpu/device/kernel_source.h"
#include "backends/gpu/device/nvrtc_compiler.h"

namespace hlo::gpu {
namespace {

using Handle = CudaDriver::Handle;
using Pointer = CudaDriver::Pointer;
/// A module, or a kernel that has its module: unloaded when nobody has it any
/// longer.
using Owned = std::shared_ptr<void>;

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
  CudaDevice(const CudaDriver& cuda, size_t kept)
      : cuda_(cuda), generated_(kept) {
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
    kernels_.fill(nullptr);
    generated_.clear();
    cuda_.release_context(device_);
  }

  void prepare() override {
    use();
    const Owned module = loaded(kernels_as_ptx(capability()));
    for (size_t k = 0; k < kKernels; ++k) {
      kernels_[k] =
          kernel_in(module, std::string(name_of(static_cast<Kernel>(k))));
    }
  }

  bool compiles() const override { return true; }

  void compile(std::span<const KernelText> kernels) override {
    const std::vector<KernelText> fresh = new_kernels(kernels, generated_);
    if (fresh.empty()) return;
    use();
    const Owned module =
        loaded(as_ptx(kernel_source("port_cuda", fresh), capability()));
    for (size_t k = 0; k < fresh.size(); ++k) {
      generated_.keep(fresh[k].body, kernel_in(module, generated_name(k)));
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
    const int64_t together = group_size(kernel);
    const auto local =
        together == 0 ? kLocalSize : static_cast<unsigned>(together);
    const int64_t groups =
        together == 0 ? (items + kLocalSize - 1) / kLocalSize : items;
    launch(kernels_.at(static_cast<size_t>(kernel)).get(), parameters,
           std::min<int64_t>(groups, kMostGroups), local);
  }

  void run(const KernelText& kernel, std::span<const int64_t> parameters,
           int64_t items) override {
    compile({&kernel, 1});
    launch(generated_.use(kernel.body)->get(), parameters,
           (items + kLocalSize - 1) / kLocalSize, kLocalSize);
  }

 private:
  Owned loaded(const std::string& ptx) {
    Handle module = nullptr;
    check(cuda_.load_module(&module, ptx.c_str()), "cuModuleLoadData");
    return {module, [this](Handle own) { unload(own); }};
  }

  /// Nothing says that the driver keeps what launches need that have not ended.
  void unload(Handle module) const {
    cuda_.set_context(context_);
    cuda_.synchronize();
    cuda_.unload_module(module);
  }

  Owned kernel_in(const Owned& module, const std::string& name) const {
    Handle kernel = nullptr;
    check(cuda_.get_function(&kernel, module.get(), name.c_str()),
          "cuModuleGetFunction");
    return {module, kernel};
  }

  void launch(Handle kernel, std::span<const int64_t> parameters,
              int64_t groups, unsigned local) {
    use();
    send(parameters);
    std::array<void*, 2> arguments = {&heap_, &parameters_};
    check(cuda_.run(kernel, static_cast<unsigned>(groups), 1, 1, local, 1, 1, 0,
                    nullptr, arguments.data(), nullptr),
          "cuLaunchKernel");
  }

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
  std::array<Owned, kKernels> kernels_;
  GeneratedKernels generated_;
  Pointer heap_ = 0;
  Pointer parameters_ = 0;
  uint64_t memory_ = 0;
  uint64_t heap_size_ = 0;
  size_t parameters_size_ = 0;
};

}  // namespace

std::unique_ptr<Device> make_cuda_device() {
  return make_cuda_device(CudaDriver(), kKeptKernels);
}

std::unique_ptr<Device> make_cuda_device(const CudaDriver& cuda, size_t kept) {
  return std::make_unique<CudaDevice>(cuda, kept);
}

}  // namespace hlo::gpu
