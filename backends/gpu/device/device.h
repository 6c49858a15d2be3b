#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hlo::gpu {

/// The kernels, by their names in kernels/.
enum class Kernel : uint8_t {
  kMap,
  kFold,
  kSum,
  kMerge,
  kTake,
  kScatter,
  kChoose,
  kReceive,
  kSumTogether,
  kRandom,
  kSolve,
  kFactor,
  kFeature,
  kNormalize,
  kCosines,
  kTransform,
  kRoots,
  kMeasure,
  kPoints,
  kTurn,
  kSpectrum,
  kResidues,
  kTurnResidues,
  kFixed,
  kOrbit,
  kMatch,
  kAccept,
  kProduct,
  kFastSum,
  kPatches,
  kTiles,
  kSureTiles,
  kRunning,
  kCountKeys,
  kSumCounts,
  kSumDigits,
  kMoveKeys,
  kTargets,
  kProbe
};

inline constexpr size_t kKernels = 39;

/// How many items of the kernel work together, with shared memory and barriers;
/// 0 where each is alone.
int64_t group_size(Kernel kernel);

std::string_view name_of(Kernel kernel);

/// What the text of a kernel stands on: the files of kernels/ up to those of
/// operations on elements and exact sums, of real functions, or of all
/// operations.
enum class Base : uint8_t { kElements, kFunctions, kAll };

/// A kernel that is generated at run time, in the kernels' dialect: what stands
/// behind KERNEL(name).
struct KernelText {
  Base base = Base::kElements;
  std::string body;
};

/// A device that is not there, or that has failed.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A machine with memory of its own, its heap, that runs kernels on it, one
/// after the other. Every function but the destructor may throw DeviceError.
class Device {
 public:
  virtual ~Device() = default;
  /// Has the kernels compiled, before the first of them runs.
  virtual void prepare() = 0;
  /// "opencl, pthread-skylake-avx512": the way to it, and its name.
  virtual std::string description() const = 0;
  /// The largest heap that it may have, in bytes.
  virtual uint64_t memory() const = 0;
  /// Makes the heap at least that large; what is in it stays.
  virtual void grow(uint64_t bytes) = 0;
  /// The size of the heap in bytes.
  virtual uint64_t heap() const = 0;
  virtual void write(uint64_t offset, std::span<const std::byte> bytes) = 0;
  virtual void read(uint64_t offset, std::span<std::byte> bytes) = 0;
  /// Runs a kernel for `items` items, or groups of items that work together.
  /// The parameters are those that the kernel's comment names.
  virtual void run(Kernel kernel, std::span<const int64_t> parameters,
                   int64_t items) = 0;
  /// Whether it has a compiler for kernels that are generated.
  virtual bool compiles() const = 0;
  /// Compiles those kernels that it does not have, together; the first of them
  /// where there are more than it keeps.
  virtual void compile(std::span<const KernelText> kernels) = 0;
  /// Runs one, which is compiled first where the device does not have it, or
  /// not any longer: it forgets those that have not run for longest. Items are
  /// at least so many: a kernel leaves those beyond out.
  virtual void run(const KernelText& kernel,
                   std::span<const int64_t> parameters, int64_t items) = 0;
};

/// The kernels as C++ on this machine.
std::unique_ptr<Device> make_fiber_device();
/// The first OpenCL device. DeviceError where there is none, or no library.
std::unique_ptr<Device> make_opencl_device();
/// The first OpenCL device, with kernels of another text.
std::unique_ptr<Device> make_opencl_device_of(std::string source);
/// The first CUDA device, by the driver and NVRTC. DeviceError where there is
/// none, or no library.
std::unique_ptr<Device> make_cuda_device();

}  // namespace hlo::gpu
