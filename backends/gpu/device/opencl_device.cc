#include "backends/gpu/device/opencl_device.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "backends/gpu/device/kernel_source.h"

namespace hlo::gpu {
namespace {

using Handle = OpenCl::Handle;
/// A handle that is released when nobody has it any longer. OpenCL keeps what
/// launches in the queue need until they have run.
using Owned = std::shared_ptr<void>;

void check(int32_t status, const char* what) {
  if (status != 0) {
    throw DeviceError(std::string("OpenCL: ") + what + " gives error " +
                      std::to_string(status));
  }
}

constexpr const char* kOptions =
    "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt";
constexpr size_t kLocalSize = 64;
constexpr size_t kMostGroups = 4096;
/// Items of a group of a generated kernel, of which each does one thing.
constexpr size_t kGeneratedSize = 256;

/// Parameters that a launch reads when its turn comes: a buffer of the device,
/// and the words that go there.
struct Parameters {
  Handle buffer = nullptr;
  size_t bytes = 0;
  std::vector<int64_t> words;
};

/// How many launches may wait: the host goes on while the device runs them.
constexpr size_t kMostWaiting = 32;

class OpenClDevice final : public Device {
 public:
  OpenClDevice(const OpenCl& cl, std::string source, size_t kept)
      : source_(std::move(source)), cl_(cl), generated_(kept) {
    find_device();
    context_ =
        cl_.create_context(nullptr, 1, &device_, nullptr, nullptr, &status_);
    check(status_, "clCreateContext");
    queue_ = cl_.create_queue(context_, device_, 0, &status_);
    check(status_, "clCreateCommandQueue");
  }

  ~OpenClDevice() override {
    if (queue_ != nullptr) cl_.finish(queue_);
    if (heap_ != nullptr) cl_.release_buffer(heap_);
    for (const Parameters& own : parameters_) {
      if (own.buffer != nullptr) cl_.release_buffer(own.buffer);
    }
    kernels_.fill(nullptr);
    generated_.clear();
    if (queue_ != nullptr) cl_.release_queue(queue_);
    if (context_ != nullptr) cl_.release_context(context_);
  }

  void prepare() override {
    const Owned program = built(source_);
    for (size_t k = 0; k < kKernels; ++k) {
      kernels_[k] =
          kernel_in(program, std::string(name_of(static_cast<Kernel>(k))));
    }
  }

  bool compiles() const override { return true; }

  void compile(std::span<const KernelText> kernels) override {
    const std::vector<KernelText> fresh = new_kernels(kernels, generated_);
    if (fresh.empty()) return;
    const Owned program = built(kernel_source("port_opencl", fresh));
    for (size_t k = 0; k < fresh.size(); ++k) {
      generated_.keep(fresh[k].body, kernel_in(program, generated_name(k)));
    }
  }

  std::string description() const override {
    std::string name(256, '\0');
    size_t size = 0;
    cl_.get_device_info(device_, OpenCl::kDeviceName, name.size(), name.data(),
                        &size);
    name.resize(size > 0 ? std::min(size, name.size()) - 1 : 0);
    return "opencl, " + name;
  }

  uint64_t memory() const override { return memory_; }

  uint64_t heap() const override { return heap_size_; }

  void grow(uint64_t bytes) override {
    if (bytes <= heap_size_) return;
    const Handle larger = new_buffer(bytes);
    if (heap_ != nullptr) {
      check(cl_.copy(queue_, heap_, larger, 0, 0, heap_size_, 0, nullptr,
                     nullptr),
            "clEnqueueCopyBuffer");
      check(cl_.finish(queue_), "clFinish");
      cl_.release_buffer(heap_);
    }
    heap_ = larger;
    heap_size_ = bytes;
  }

  void write(uint64_t offset, std::span<const std::byte> bytes) override {
    if (bytes.empty()) return;
    check(cl_.write(queue_, heap_, 1, offset, bytes.size(), bytes.data(), 0,
                    nullptr, nullptr),
          "clEnqueueWriteBuffer");
  }

  void read(uint64_t offset, std::span<std::byte> bytes) override {
    if (bytes.empty()) return;
    check(cl_.read(queue_, heap_, 1, offset, bytes.size(), bytes.data(), 0,
                   nullptr, nullptr),
          "clEnqueueReadBuffer");
  }

  void run(Kernel kernel, std::span<const int64_t> parameters,
           int64_t items) override {
    const auto together = static_cast<size_t>(group_size(kernel));
    const size_t local = together == 0 ? kLocalSize : together;
    const size_t groups = together == 0
                              ? (static_cast<size_t>(items) + local - 1) / local
                              : static_cast<size_t>(items);
    launch(kernels_.at(static_cast<size_t>(kernel)).get(), parameters,
           std::min(groups, kMostGroups), local);
  }

  void run(const KernelText& kernel, std::span<const int64_t> parameters,
           int64_t items) override {
    compile({&kernel, 1});
    launch(generated_.use(kernel.body)->get(), parameters,
           (static_cast<size_t>(items) + kGeneratedSize - 1) / kGeneratedSize,
           kGeneratedSize);
  }

 private:
  void find_device() {
    std::array<Handle, 8> platforms{};
    uint32_t count = 0;
    cl_.get_platforms(platforms.size(), platforms.data(), &count);
    for (size_t i = 0; i < std::min<size_t>(count, platforms.size()); ++i) {
      uint32_t devices = 0;
      if (cl_.get_devices(platforms[i], OpenCl::kAllDevices, 1, &device_,
                          &devices) == 0 &&
          devices > 0) {
        require_doubles();
        return;
      }
    }
    throw DeviceError("OpenCL has no device");
  }

  void require_doubles() {
    uint64_t doubles = 0;
    cl_.get_device_info(device_, OpenCl::kDeviceDoubleConfig, sizeof doubles,
                        &doubles, nullptr);
    if (doubles == 0) throw DeviceError("the OpenCL device has no f64");
    check(cl_.get_device_info(device_, OpenCl::kDeviceMaxAllocation,
                              sizeof memory_, &memory_, nullptr),
          "clGetDeviceInfo");
  }

  Owned new_program(const std::string& source) {
    const char* text = source.c_str();
    const Handle program =
        cl_.create_program(context_, 1, &text, nullptr, &status_);
    check(status_, "clCreateProgramWithSource");
    return {program, [this](Handle own) { cl_.release_program(own); }};
  }

  /// A program of that text.
  Owned built(const std::string& source) {
    Owned program = new_program(source);
    if (cl_.build_program(program.get(), 1, &device_, kOptions, nullptr,
                          nullptr) != 0) {
      throw DeviceError("OpenCL does not build the kernels: " +
                        build_log(program.get()));
    }
    return program;
  }

  /// A kernel, which has its program.
  Owned kernel_in(const Owned& program, const std::string& name) {
    const Handle kernel =
        cl_.create_kernel(program.get(), name.c_str(), &status_);
    check(status_, "clCreateKernel");
    return {kernel, [this, program](Handle own) { cl_.release_kernel(own); }};
  }

  void launch(Handle kernel, std::span<const int64_t> parameters, size_t groups,
              size_t local) {
    const Handle sent = send(parameters);
    check(cl_.set_argument(kernel, 0, sizeof heap_, &heap_), "clSetKernelArg");
    check(cl_.set_argument(kernel, 1, sizeof sent, &sent), "clSetKernelArg");
    const size_t global = groups * local;
    check(cl_.run(queue_, kernel, 1, nullptr, &global, &local, 0, nullptr,
                  nullptr),
          "clEnqueueNDRangeKernel");
  }

  std::string build_log(Handle program) const {
    std::string log(2000, '\0');
    size_t size = 0;
    cl_.get_build_info(program, device_, OpenCl::kBuildLog, log.size(),
                       log.data(), &size);
    log.resize(std::min(size, log.size()));
    return log;
  }

  Handle new_buffer(size_t bytes) {
    const Handle buffer = cl_.create_buffer(context_, OpenCl::kReadWrite, bytes,
                                            nullptr, &status_);
    check(status_, "clCreateBuffer");
    return buffer;
  }

  /// The buffer that has the words when the queue, which keeps the order, comes
  /// to it.
  Handle send(std::span<const int64_t> words) {
    if (next_ == 0) check(cl_.finish(queue_), "clFinish");
    Parameters& own = parameters_[next_];
    next_ = (next_ + 1) % kMostWaiting;
    if (words.size_bytes() > own.bytes) {
      if (own.buffer != nullptr) cl_.release_buffer(own.buffer);
      own.buffer = nullptr;
      own.bytes = 0;
      own.buffer = new_buffer(2 * words.size_bytes());
      own.bytes = 2 * words.size_bytes();
    }
    own.words.assign(words.begin(), words.end());
    check(cl_.write(queue_, own.buffer, 0, 0, words.size_bytes(),
                    own.words.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
    return own.buffer;
  }

  std::string source_;
  OpenCl cl_;
  Handle device_ = nullptr;
  int32_t status_ = 0;  // of the last call that made something
  Handle context_ = nullptr;
  Handle queue_ = nullptr;
  Handle heap_ = nullptr;
  std::array<Parameters, kMostWaiting> parameters_;
  size_t next_ = 0;  // of them
  std::array<Owned, kKernels> kernels_;
  GeneratedKernels generated_;
  uint64_t memory_ = 0;
  uint64_t heap_size_ = 0;
};

}  // namespace

std::unique_ptr<Device> make_opencl_device() {
  return make_opencl_device_of(kernel_source("port_opencl"));
}

std::unique_ptr<Device> make_opencl_device_of(std::string source) {
  return std::make_unique<OpenClDevice>(OpenCl(), std::move(source),
                                        kKeptKernels);
}

std::unique_ptr<Device> make_opencl_device(const OpenCl& cl, size_t kept) {
  return std::make_unique<OpenClDevice>(cl, kernel_source("port_opencl"), kept);
}

}  // namespace hlo::gpu
