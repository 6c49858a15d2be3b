#include "backends/cpu/cpu_backend.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "backends/cpu/arrays/packing.h"
#include "backends/cpu/cpu_options.h"
#include "backends/cpu/devices/device_grid.h"
#include "backends/cpu/devices/host_queues.h"
#include "backends/cpu/engine.h"
#include "backends/cpu/functions/random/random_state.h"
#include "backends/cpu/plan/execute.h"
#include "backends/cpu/plan/make_plan.h"
#include "backends/cpu/plan/plan_text.h"
#include "backends/cpu/threads/flush_subnormals.h"
#include "backends/cpu/threads/share_loop.h"
#include "backends/host_side.h"

namespace hlo {
namespace {

/// Takes the arrays of a parameter's leaves from `arrays`, from `next` on.
cpu::Array assemble(const Shape& shape, std::vector<cpu::Array>& arrays,
                    size_t& next) {
  if (shape.is_array()) return std::move(arrays.at(next++));
  cpu::Array value(shape);
  for (const Shape& element : shape.tuple_shapes) {
    value.elements.push_back(assemble(element, arrays, next));
  }
  return value;
}

void flatten(cpu::Array value, std::vector<cpu::Array>& result) {
  for (cpu::Array& element : value.elements) {
    flatten(std::move(element), result);
  }
  if (value.shape.is_array()) result.push_back(std::move(value));
}

/// The parameters of one device, whose leaves begin at `next`.
std::vector<cpu::Array> parameters_of(const Module& module,
                                      std::vector<cpu::Array>& arrays,
                                      size_t& next) {
  std::vector<cpu::Array> parameters;
  for (const Instruction* parameter : module.entry->parameters) {
    parameters.push_back(assemble(parameter->shape, arrays, next));
  }
  return parameters;
}

std::vector<cpu::Array> unpacked(std::span<const Buffer> buffers) {
  std::vector<cpu::Array> arrays;
  arrays.reserve(buffers.size());
  for (const Buffer& buffer : buffers) arrays.push_back(cpu::unpack(buffer));
  return arrays;
}

/// The results of the devices; where there is one list of arguments, it is for
/// all of them.
std::vector<cpu::Array> run_devices(const Module& module,
                                    std::vector<cpu::Array> arrays,
                                    const HostSide& host) {
  const Grid grid = cpu::grid_of(module);
  const bool shared = arrays.size() == argument_shapes(module).size();
  std::vector<cpu::DeviceWork> work;
  size_t next = 0;
  for (int64_t device = 0; device < grid.count(); ++device) {
    if (device > 0 && shared) {
      work.push_back(work.front());
    } else {
      work.push_back({module.entry, parameters_of(module, arrays, next)});
    }
  }
  std::vector<cpu::Array> results = cpu::run_grid(
      grid, std::move(work), cpu::queues_of(host), {cpu::run_one, cpu::run});
  std::vector<cpu::Array> leaves;
  for (cpu::Array& result : results) flatten(std::move(result), leaves);
  return leaves;
}

/// One instruction after the other.
std::vector<cpu::Array> run_stepwise(const Module& module,
                                     std::vector<cpu::Array> arrays) {
  size_t next = 0;
  const std::vector<cpu::Array> parameters =
      parameters_of(module, arrays, next);
  std::vector<const cpu::Array*> places;
  places.reserve(parameters.size());
  for (const cpu::Array& parameter : parameters) places.push_back(&parameter);
  std::vector<cpu::Array> leaves;
  flatten(cpu::run(*module.entry, places), leaves);
  return leaves;
}

/// The memory of the leaves of the parameters, dense and row-major.
class ArgumentBytes {
 public:
  ArgumentBytes(const cpu::StepPlan& plan, std::span<const Buffer> arguments) {
    unpacked_.reserve(arguments.size());
    for (const cpu::Value& value : plan.graph.values) {
      if (value.argument < 0) continue;
      const auto at = static_cast<size_t>(value.argument);
      if (at >= arguments.size()) {
        throw std::invalid_argument("an argument is missing");
      }
      add(arguments[at], value.bytes);
    }
  }

  std::span<const std::byte* const> places() const { return places_; }

 private:
  void add(const Buffer& buffer, size_t size) {
    const Bytes* bytes = &buffer.bytes;
    if (!cpu::is_plain(buffer.shape)) {
      unpacked_.push_back(cpu::unpack(buffer));
      bytes = &unpacked_.back().bytes;
    }
    if (bytes->size() != size) {
      throw std::invalid_argument("a buffer is not of the size of its shape");
    }
    places_.push_back(bytes->data());
  }

  std::vector<cpu::Array> unpacked_;
  std::vector<const std::byte*> places_;
};

/// Functions stand on the host's, which are wrong where subnormal numbers are
/// flushed.
cpu::Array run_function(const Instruction& instruction,
                        cpu::Operands operands) {
  const cpu::FlushSubnormals keep(false);
  return cpu::run_one(instruction, operands);
}

std::vector<cpu::Array> run_planned(const cpu::StepPlan& plan,
                                    std::span<const Buffer> arguments) {
  const ArgumentBytes bytes(plan, arguments);
  std::vector<cpu::Array> results =
      cpu::execute(plan, bytes.places(), run_function);
  std::erase_if(results,
                [](const cpu::Array& leaf) { return leaf.shape.is_token(); });
  return results;
}

Outcome guarded(auto body) {
  try {
    return body();
  } catch (const Error& error) {
    return to_failure(error);
  } catch (const cpu::Unsupported& unsupported) {
    return Failure{Failure::Kind::kUnsupported, "", unsupported.what()};
  } catch (const std::bad_alloc&) {
    return Failure{Failure::Kind::kError, "", "there is not enough memory"};
  } catch (const std::exception& error) {
    return Failure{Failure::Kind::kError, "", error.what()};
  }
}

/// A module, with the plan of its entry computation where it has one.
class CpuProgram final : public Executable {
 public:
  CpuProgram(const Module& module, const cpu::Options& options,
             const HostSide& host)
      : module_(module),
        options_(options),
        host_(host),
        needs_machine_(cpu::needs_machine(module)),
        arguments_(argument_shapes(module).size()),
        devices_(static_cast<size_t>(cpu::grid_of(module).count())),
        result_shapes_(result_shapes(module)) {
    if (!needs_machine_) {
      plan_ = cpu::make_plan(*module.entry, options.numerics);
    }
  }

  Outcome run(std::span<const Buffer> arguments) override {
    return guarded([&] {
      std::optional<cpu::ThreadCount> count;
      if (options_.threads > 0) count.emplace(options_.threads);
      return packed(leaves(arguments));
    });
  }

  std::optional<std::string> explanation() const override {
    if (plan_) return cpu::plan_text(*plan_);
    return std::string("no plan, but one instruction after the other: ") +
           (needs_machine_ ? "the program talks to other devices or the host\n"
                           : "it has sizes that are known at run time only, "
                             "an array of more than 17179869184 bytes, or more "
                             "than 100,000 instructions\n");
  }

 private:
  std::vector<cpu::Array> leaves(std::span<const Buffer> arguments) const {
    if (needs_machine_) return run_devices(module_, unpacked(arguments), host_);
    const bool shared = arguments.size() == arguments_;
    if (!shared && arguments.size() != arguments_ * devices_) {
      throw std::invalid_argument("there are too few or too many arguments");
    }
    if (devices_ == 1) return leaves_of_one(arguments);
    std::vector<cpu::Array> all;
    std::vector<cpu::Array> own;
    for (size_t device = 0; device < devices_; ++device) {
      if (device == 0 || !shared) {
        own = leaves_of_one(arguments.subspan(device * arguments_, arguments_));
      }
      if (device + 1 == devices_) {
        std::ranges::move(own, std::back_inserter(all));
      } else {
        std::ranges::copy(own, std::back_inserter(all));
      }
    }
    return all;
  }

  /// The results of one device.
  std::vector<cpu::Array> leaves_of_one(
      std::span<const Buffer> arguments) const {
    cpu::Counter state{};
    const cpu::UseRandomState use(state);
    if (!plan_) return run_stepwise(module_, unpacked(arguments));
    const cpu::FlushSubnormals flush(options_.numerics == cpu::Numerics::kFast);
    return run_planned(*plan_, arguments);
  }

  std::vector<Buffer> packed(std::vector<cpu::Array> leaves) const {
    std::vector<Buffer> buffers;
    for (size_t i = 0; i < leaves.size(); ++i) {
      buffers.push_back(cpu::pack(std::move(leaves[i]), result_shapes_.at(i)));
    }
    return buffers;
  }

  const Module& module_;
  cpu::Options options_;
  HostSide host_;
  bool needs_machine_;
  size_t arguments_;  // of a device
  size_t devices_;
  std::vector<Shape> result_shapes_;
  std::optional<cpu::StepPlan> plan_;
};

class CpuBackend final : public Backend, public HostFed {
 public:
  CpuBackend(std::string name, const cpu::Options& options)
      : name_(std::move(name)), options_(options) {}

  std::string name() const override { return name_; }

  std::vector<std::string> tags() override {
    return {"devices", "dynamic-sizes", "explicit-layouts"};
  }

  std::optional<std::string> take(const HostSide& host) override {
    if (host.custom_calls != nullptr) {
      return "it calls no functions of libraries";
    }
    host_ = host;
    return std::nullopt;
  }

  std::unique_ptr<Executable> compile(const Module& module) override {
    return std::make_unique<CpuProgram>(module, options_, host_);
  }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    return guarded([&] {
      CpuProgram program(module, options_, host_);
      return program.run(arguments);
    });
  }

 private:
  std::string name_;
  cpu::Options options_;
  HostSide host_;
};

constexpr std::string_view kWithOptions = "cpu:?";

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(int threads) {
  cpu::Options options;
  options.threads = threads;
  return std::make_unique<CpuBackend>(
      threads == 0 ? "cpu:" : "cpu:threads=" + std::to_string(threads),
      options);
}

std::unique_ptr<Backend> make_cpu_backend(std::string_view uri) {
  if (!uri.starts_with(kWithOptions)) return nullptr;
  return std::make_unique<CpuBackend>(std::string(uri), cpu::options_of(uri));
}

std::string_view profile_of_cpu_backend(std::string_view uri) {
  if (!uri.starts_with(kWithOptions)) return {};
  const bool is_fast = cpu::options_of(uri).numerics == cpu::Numerics::kFast;
  return is_fast ? "opencl-full,subnormals=daz+ftz" : "tight";
}

}  // namespace hlo
