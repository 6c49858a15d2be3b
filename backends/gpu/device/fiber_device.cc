#include <cstring>
#include <new>

#include "backends/gpu/device/device.h"
#include "backends/gpu/device/host_kernels.h"
#include "backends/gpu/device/work_group.h"
#include "interpreter/counted.h"

namespace hlo::gpu {

namespace {

class FiberDevice final : public Device {
 public:
  void prepare() override {}

  std::string description() const override {
    return "fibers, the kernels as C++ on this machine, which compiles none";
  }

  bool compiles() const override { return false; }

  void compile(std::span<const KernelText> kernels) override {
    if (!kernels.empty()) throw DeviceError("fibers have no compiler");
  }

  void run(const KernelText& kernel, std::span<const int64_t> /*parameters*/,
           int64_t /*items*/) override {
    compile({&kernel, 1});
  }

  uint64_t memory() const override { return uint64_t{1} << 34; }

  void grow(uint64_t bytes) override {
    if (bytes <= heap_.size()) return;
    try {
      heap_.resize(bytes);
    } catch (const std::bad_alloc&) {
      throw DeviceError("there is no memory for a heap of " +
                        counted(static_cast<int64_t>(bytes), "byte"));
    }
  }

  uint64_t heap() const override { return heap_.size(); }

  void write(uint64_t offset, std::span<const std::byte> bytes) override {
    if (!bytes.empty()) {
      std::memcpy(heap_.data() + offset, bytes.data(), bytes.size());
    }
  }

  void read(uint64_t offset, std::span<std::byte> bytes) override {
    if (!bytes.empty()) {
      std::memcpy(bytes.data(), heap_.data() + offset, bytes.size());
    }
  }

  void run(Kernel kernel, std::span<const int64_t> parameters,
           int64_t count) override {
    const HostKernel function = host_kernel(kernel);
    const int64_t together = group_size(kernel);
    const auto body = [&] { function(heap_.data(), parameters.data()); };
    for (int64_t i = 0; i < count; ++i) {
      if (together > 0) {
        run_group(i, count, together, body);
      } else {
        work_item() = {.global_id = i, .global_size = count};
        body();
      }
    }
  }

 private:
  std::vector<uint8_t> heap_;
};

}  // namespace

std::unique_ptr<Device> make_fiber_device() {
  return std::make_unique<FiberDevice>();
}

}  // namespace hlo::gpu
