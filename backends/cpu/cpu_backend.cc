#include "backends/cpu/cpu_backend.h"

#include <algorithm>
#include <map>

#include "backends/cpu/arrays/packing.h"
#include "backends/cpu/engine.h"

namespace hlo {
namespace {

constexpr int64_t kMostLevels = 100;  // each runs within the one around it

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

std::vector<Buffer> run_module(const Module& module,
                               std::span<const Buffer> arguments) {
  std::vector<cpu::Array> arrays;
  arrays.reserve(arguments.size());
  for (const Buffer& buffer : arguments) arrays.push_back(cpu::unpack(buffer));
  size_t next = 0;
  std::vector<cpu::Array> parameters;
  for (const Instruction* parameter : module.entry->parameters) {
    parameters.push_back(assemble(parameter->shape, arrays, next));
  }
  std::vector<const cpu::Array*> places;
  places.reserve(parameters.size());
  for (const cpu::Array& parameter : parameters) places.push_back(&parameter);
  const cpu::Array result = cpu::run(*module.entry, places);
  std::vector<const cpu::Array*> flat;
  flatten(result, flat);
  const std::vector<Shape> shapes = result_shapes(module);
  std::vector<Buffer> buffers;
  for (size_t i = 0; i < flat.size(); ++i) {
    buffers.push_back(cpu::pack(*flat[i], shapes.at(i)));
  }
  return buffers;
}

/// How many computations lie in each other within the entry computation.
int64_t levels_of(const Module& module) {
  std::map<const Computation*, int64_t> levels;  // callees stand before callers
  for (const auto& computation : module.computations) {
    int64_t& own = levels[computation.get()];
    for (const auto& instruction : computation->instructions) {
      for (const auto& [name, value] : instruction->attributes) {
        if (const auto* one = std::get_if<Computation*>(&value)) {
          own = std::max(own, levels[*one] + 1);
        } else if (const auto* several = std::get_if<Computations>(&value)) {
          for (const Computation* called : *several) {
            own = std::max(own, levels[called] + 1);
          }
        }
      }
    }
  }
  return levels[module.entry];
}

class CpuBackend final : public Backend {
 public:
  std::string name() const override { return "cpu:"; }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    if (module.entry->root->shape.has_dynamic_dimensions()) {
      return Failure{Failure::Kind::kUnsupported, "",
                     "cpu: dynamic dimensions"};
    }
    if (module.replica_count * module.num_partitions != 1) {
      return Failure{Failure::Kind::kUnsupported, "", "cpu: several devices"};
    }
    if (levels_of(module) > kMostLevels) {
      return Failure{Failure::Kind::kUnsupported, "",
                     "cpu: computations nested more than 100 deep"};
    }
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
