#include "backends/cpu/cpu_backend.h"

#include "backends/cpu/arrays/packing.h"
#include "backends/cpu/devices/device_grid.h"
#include "backends/cpu/engine.h"
#include "backends/cpu/functions/random/random_state.h"

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

void flatten(const cpu::Array& value, std::vector<const cpu::Array*>& result) {
  if (value.shape.is_array()) result.push_back(&value);
  for (const cpu::Array& element : value.elements) flatten(element, result);
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

/// The results of the devices; where there is one list of arguments, it is for
/// all of them.
std::vector<cpu::Array> run_devices(const Module& module,
                                    std::vector<cpu::Array> arrays) {
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
  return cpu::run_grid(grid, std::move(work), {}, {cpu::run_one, cpu::run});
}

std::vector<cpu::Array> run_one_device(const Module& module,
                                       std::vector<cpu::Array> arrays) {
  size_t next = 0;
  const std::vector<cpu::Array> parameters =
      parameters_of(module, arrays, next);
  std::vector<const cpu::Array*> places;
  places.reserve(parameters.size());
  for (const cpu::Array& parameter : parameters) places.push_back(&parameter);
  cpu::Counter state{};
  const cpu::UseRandomState use(state);
  std::vector<cpu::Array> results;
  results.push_back(cpu::run(*module.entry, places));
  return results;
}

std::vector<Buffer> run_module(const Module& module,
                               std::span<const Buffer> arguments) {
  const std::vector<Shape> shapes = result_shapes(module);
  std::vector<cpu::Array> arrays;
  arrays.reserve(arguments.size());
  for (const Buffer& buffer : arguments) arrays.push_back(cpu::unpack(buffer));
  const std::vector<cpu::Array> results =
      cpu::needs_machine(module) ? run_devices(module, std::move(arrays))
                                 : run_one_device(module, std::move(arrays));
  std::vector<const cpu::Array*> flat;
  for (const cpu::Array& result : results) flatten(result, flat);
  std::vector<Buffer> buffers;
  for (size_t i = 0; i < flat.size(); ++i) {
    buffers.push_back(cpu::pack(*flat[i], shapes.at(i)));
  }
  return buffers;
}

class CpuBackend final : public Backend {
 public:
  std::string name() const override { return "cpu:"; }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    try {
      return run_module(module, arguments);
    } catch (const Error& error) {
      return to_failure(error);
    } catch (const cpu::Unsupported& unsupported) {
      return Failure{Failure::Kind::kUnsupported, "", unsupported.what()};
    } catch (const std::exception& error) {
      return Failure{Failure::Kind::kError, "", error.what()};
    }
  }
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend() {
  return std::make_unique<CpuBackend>();
}

}  // namespace hlo
