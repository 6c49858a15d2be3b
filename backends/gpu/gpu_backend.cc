#include "backends/gpu/gpu_backend.h"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

#include "backends/cpu/functions/random/random_state.h"
#include "backends/gpu/device/device.h"
#include "backends/gpu/program/value.h"
#include "backends/gpu/run/evaluate_program.h"
#include "backends/gpu/run/exact_probe.h"
#include "backends/gpu/run/program_memory.h"
#include "backends/gpu/run/staged_program.h"
#include "backends/host_side.h"
#include "backends/uri_options.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo {
namespace {

struct Kind {
  std::string_view name;
  std::unique_ptr<gpu::Device> (*make)();
};

/// The best first.
constexpr std::array<Kind, 3> kKinds = {{{"cuda", gpu::make_cuda_device},
                                         {"opencl", gpu::make_opencl_device},
                                         {"fibers", gpu::make_fiber_device}}};

constexpr std::string_view kPrefix = "gpu:";

/// The options of the URI.
struct Options {
  const Kind* kind = nullptr;  // of the device; null: the best there is
  gpu::Numerics numerics = gpu::Numerics::kExact;
  gpu::Kernels kernels = gpu::Kernels::kByWork;
  uint64_t memory = UINT64_MAX;
};

Options options_of(std::string_view uri) {
  Options options;
  std::vector<UriOption> all = {
      {"device", {}, [&](uint64_t k) { options.kind = &kKinds.at(k); }},
      {"numerics",
       {"exact", "fast"},
       [&](uint64_t choice) {
         options.numerics =
             choice == 1 ? gpu::Numerics::kFast : gpu::Numerics::kExact;
       }},
      {"kernels",
       {"generated", "interpreted"},
       [&](uint64_t choice) {
         options.kernels = choice == 0 ? gpu::Kernels::kGenerated
                                       : gpu::Kernels::kInterpreted;
       }},
      {"memory",
       {},
       [&](uint64_t bytes) { options.memory = bytes; },
       {.word = "BYTES", .least = 1, .told = "1 to 2^64 - 1"}}};
  for (const Kind& kind : kKinds) all.front().choices.push_back(kind.name);
  read_uri_options(uri, kPrefix, all);
  return options;
}

/// The device, when it has been found to be exact.
std::unique_ptr<gpu::Device> exact_device(const Kind& kind) {
  std::unique_ptr<gpu::Device> device = kind.make();
  device->prepare();
  gpu::Memory memory(*device);
  gpu::require_exact(memory);
  return device;
}

/// A device, and what there is to say of its choice.
struct Found {
  std::unique_ptr<gpu::Device> device;
  std::string remark;
};

/// The first kind of device that is there and exact.
Found best_device() {
  std::string passed;
  for (const Kind& kind : kKinds) {
    try {
      Found found{exact_device(kind), ""};
      found.remark = "gpu: is " + found.device->description() + passed;
      return found;
    } catch (const gpu::DeviceError& error) {
      const std::string_view why = error.what();  // and what a compiler says
      passed += "; " + std::string(kind.name) + ": " +
                shortened(why.substr(0, why.find('\n')));
    }
  }
  throw std::logic_error("fibers are always there");
}

[[noreturn]] void refuse_device(std::string_view uri, const std::string& why) {
  throw Error(Phase::kParse, "usage.backend",
              "the backend \"" + std::string(uri) + "\" has no device: " + why +
                  ", but its device must be there");
}

Found find_device(std::string_view uri, const Options& options) {
  Found found;
  try {
    found = options.kind == nullptr ? best_device()
                                    : Found{exact_device(*options.kind), ""};
  } catch (const gpu::DeviceError& error) {
    refuse_device(uri, error.what());
  }
  if (options.kernels == gpu::Kernels::kGenerated &&
      !found.device->compiles()) {
    refuse_device(uri, found.device->description());
  }
  return found;
}

/// What the devices of the module return, one after the other.
std::vector<Literal> run_devices(gpu::Memory& memory, const Module& module,
                                 std::span<const Buffer> buffers,
                                 const HostSide& host) {
  std::vector<Literal> leaves;
  for (const Buffer& buffer : buffers) leaves.push_back(load(buffer));
  const auto lists = device_arguments(module, leaves);
  if (gpu::needs_stages(module)) {
    return gpu::run_stages(memory, module, lists, host);
  }
  const int64_t devices = module.replica_count * module.num_partitions;
  std::vector<Literal> results;
  for (int64_t device = 0; device < devices; ++device) {
    cpu::Counter state{};
    const cpu::UseRandomState use(state);
    const auto& literals =
        lists[lists.size() == 1 ? 0 : static_cast<size_t>(device)];
    std::vector<gpu::Value> values;
    for (const Literal& literal : literals) {
      values.push_back(upload(memory, literal));
    }
    gpu::Values arguments;
    for (const gpu::Value& value : values) arguments.push_back(&value);
    results.push_back(
        download(memory, evaluate(memory, *module.entry, arguments)));
  }
  return results;
}

std::vector<Buffer> stored(const Module& module,
                           std::span<const Literal> results) {
  const std::vector<Shape> shapes = result_shapes(module);
  const std::vector<Literal> leaves = array_leaves(results);
  std::vector<Buffer> buffers;
  for (size_t i = 0; i < leaves.size(); ++i) {
    buffers.push_back(store(leaves[i], shapes.at(i)));
  }
  return buffers;
}

class GpuBackend final : public Backend, public HostFed {
 public:
  GpuBackend(std::string name, Found&& found, const Options& options)
      : name_(std::move(name)),
        remark_(std::move(found.remark)),
        device_(std::move(found.device)),
        memory_(*device_, options.numerics, options.memory, options.kernels) {}

  std::string name() const override { return name_; }

  std::string remark() const override { return remark_; }

  std::optional<std::string> take(const HostSide& host) override {
    if (host.custom_calls != nullptr) {
      return "it calls no functions of libraries";
    }
    host_ = host;
    return std::nullopt;
  }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    try {
      gpu::require_room(memory_, module);
      return stored(module, run_devices(memory_, module, arguments, host_));
    } catch (const Error& error) {
      return to_failure(error);
    } catch (const gpu::Unsupported& unsupported) {
      return Failure{Failure::Kind::kUnsupported, "", unsupported.what()};
    } catch (const std::exception& error) {
      return Failure{Failure::Kind::kError, "", error.what()};
    }
  }

 private:
  std::string name_;
  std::string remark_;
  std::unique_ptr<gpu::Device> device_;
  gpu::Memory memory_;
  HostSide host_;
};

}  // namespace

std::unique_ptr<Backend> make_gpu_backend(std::string_view uri) {
  if (!uri.starts_with(kPrefix)) return nullptr;
  const Options options = options_of(uri);
  return std::make_unique<GpuBackend>(std::string(uri),
                                      find_device(uri, options), options);
}

std::vector<std::string> known_gpu_devices() {
  std::vector<std::string> known;
  known.reserve(std::size(kKinds));
  for (const Kind& kind : kKinds) {
    known.push_back(std::string(kPrefix) + "?device=" + std::string(kind.name));
  }
  return known;
}

std::string state_of_gpu_device(std::string_view uri) {
  for (const Kind& kind : kKinds) {
    if (!uri.ends_with("=" + std::string(kind.name))) continue;
    try {
      return kind.make()->description();
    } catch (const gpu::DeviceError& error) {
      return std::string("not here: ") + error.what();
    }
  }
  return "";
}

}  // namespace hlo
