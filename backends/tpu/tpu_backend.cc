#include "backends/tpu/tpu_backend.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/memory/trap.h"
#include "backends/tpu/operations/operations.h"
#include "backends/tpu/program/assign_layout.h"
#include "backends/tpu/run/execution.h"
#include "backends/tpu/tpu_options.h"
#include "interpreter/arithmetic_state.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"

namespace hlo {
namespace {

constexpr std::string_view kMutant = "tpu-mutant:";
constexpr int64_t kGrain = 512;  // the least that an array takes
constexpr int64_t kScratch = int64_t{16} << 20;

/// An array whose bytes are those of the buffer.
tpu::TiledArray array_in(tpu::Machine& machine, const Buffer& buffer) {
  tpu::TiledArray array = tpu::new_array(machine.memory, buffer.shape);
  if (std::ssize(buffer.bytes) != array.buffer_bytes()) {
    throw std::logic_error(
        "a buffer has not the size that its layout asks for");
  }
  tpu::take_bytes(machine, buffer.bytes, array);
  return array;
}

class Arguments {
 public:
  Arguments(tpu::Machine& machine, std::span<const Buffer> buffers)
      : machine_(machine), buffers_(buffers) {}

  tpu::Value next(const Shape& shape) {
    tpu::Value value{.shape = shape};
    if (shape.is_tuple()) {
      for (const Shape& element : shape.tuple_shapes) {
        value.elements.push_back(next(element));
      }
    } else if (shape.is_array()) {
      value.array = array_in(machine_, buffers_[next_++]);
      value.array.sizes = load(buffers_[next_ - 1]).dynamic_sizes();
    }
    return value;
  }

 private:
  tpu::Machine& machine_;
  std::span<const Buffer> buffers_;
  size_t next_ = 0;
};

void append_arrays(const tpu::Value& value,
                   std::vector<const tpu::TiledArray*>& arrays) {
  if (value.shape.is_array()) arrays.push_back(&value.array);
  for (const tpu::Value& element : value.elements) {
    append_arrays(element, arrays);
  }
}

/// Puts the run-time sizes in front of the elements, 4 bytes each, lowest
/// first, where the layout has room for all (spec/layout.md).
void write_sizes(const tpu::TiledArray& array) {
  constexpr size_t kWidth = 4;
  const Shape& shape = array.shape;
  const auto room = static_cast<size_t>(array.prefix_bytes()) / kWidth;
  if (!shape.has_dynamic_dimensions() || room < shape.dims.size()) return;
  const auto& sizes = array.sizes.empty() ? shape.dims : array.sizes;
  const std::span<std::byte> bytes = array.memory->bytes();
  for (size_t k = 0; k < sizes.size() * kWidth; ++k) {
    const auto size = static_cast<uint64_t>(sizes[k / kWidth]);
    bytes[k] = static_cast<std::byte>((size >> (8 * (k % kWidth))) & 0xff);
  }
}

/// The array's bytes in the layout that the program's result asks for.
Buffer buffer_of(tpu::Machine& machine, const tpu::TiledArray& array,
                 const Shape& shape) {
  const tpu::TiledArray asked = machine.has(tpu::Fault::kResultAsItLies)
                                    ? array
                                    : tpu::relayout(machine, array, shape);
  if (!machine.has(tpu::Fault::kSizesNotWritten)) write_sizes(asked);
  const auto bytes =
      asked.memory->bytes().first(static_cast<size_t>(asked.buffer_bytes()));
  return {shape, {bytes.begin(), bytes.end()}};
}

size_t arrays_of(const Shape& shape) {
  size_t count = shape.is_array() ? 1 : 0;
  for (const Shape& element : shape.tuple_shapes) count += arrays_of(element);
  return count;
}

size_t arrays_of_parameters(const Module& module) {
  size_t count = 0;
  for (const Instruction* parameter : module.entry->parameters) {
    count += arrays_of(parameter->shape);
  }
  return count;
}

/// Whether what a device does hangs on others, or on which one it is.
bool needs_others(const Module& module) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->op->communicate != nullptr ||
          instruction->op->randomness != Randomness::kNone) {
        return true;
      }
    }
  }
  return false;
}

class TpuBackend final : public Backend {
 public:
  TpuBackend(std::string name, const tpu::Options& options,
             tpu::Fault fault = tpu::Fault::kNone)
      : name_(std::move(name)), options_(options), fault_(fault) {}

  std::string name() const override { return name_; }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    try {
      return run_devices(module, arguments);
    } catch (const Error& error) {
      return to_failure(error);
    } catch (const tpu::Trap& trap) {
      return Failure{Failure::Kind::kError, "",
                     trap.rule() + ": " + trap.what()};
    } catch (const tpu::Unsupported& unsupported) {
      return Failure{Failure::Kind::kUnsupported, "", unsupported.what()};
    }
  }

 private:
  /// The results of all devices. Where they have the same arguments, each does
  /// what the first one does.
  std::vector<Buffer> run_devices(const Module& module,
                                  std::span<const Buffer> arguments) const {
    const int64_t devices = module.replica_count * module.num_partitions;
    if (devices == 1) return run_on_one_device(module, arguments);
    if (needs_others(module)) {
      throw tpu::Unsupported("does not run several devices");
    }
    const size_t count =
        result_shapes(module).size() / static_cast<size_t>(devices);
    const size_t each = arguments.size() / static_cast<size_t>(devices);
    const bool is_shared = arguments.size() == arrays_of_parameters(module);
    std::vector<Buffer> results;
    for (int64_t device = 0; device < devices; ++device) {
      std::vector<Buffer> own;
      const int64_t giver =
          fault_ == tpu::Fault::kFirstDeviceForAll ? 0 : device;
      if (is_shared && device > 0) {
        own.assign(results.begin(),
                   results.begin() + static_cast<std::ptrdiff_t>(count));
      } else {
        own = run_on_one_device(
            module, is_shared ? arguments
                              : arguments.subspan(
                                    static_cast<size_t>(giver) * each, each));
      }
      results.insert(results.end(), own.begin(), own.end());
    }
    return results;
  }

  std::vector<Buffer> run_on_one_device(
      const Module& module, std::span<const Buffer> arguments) const {
    const ReferenceArithmetic arithmetic;
    int64_t elements = 0;
    for (const Buffer& buffer : arguments) {
      elements += buffer.shape.element_count();
    }
    Evaluator evaluator(kReference, {.max_work = Budget::by_inputs(elements)});
    tpu::Machine machine{.memory = tpu::Hbm(kGrain, options_.poison),
                         .scratch = tpu::Scratch(kScratch, fault_),
                         .matrix = options_.matrix,
                         .fault = fault_,
                         .evaluator = evaluator};
    Arguments buffers(machine, arguments);
    std::vector<tpu::Value> values;
    for (const Instruction* parameter : module.entry->parameters) {
      values.push_back(buffers.next(parameter->shape));
    }
    tpu::Values pointers;
    for (const tpu::Value& value : values) pointers.push_back(&value);
    const tpu::Value result = tpu::execute(machine, *module.entry, pointers);
    std::vector<const tpu::TiledArray*> arrays;
    append_arrays(result, arrays);
    const std::vector<Shape> shapes = result_shapes(module);
    std::vector<Buffer> results;
    for (size_t k = 0; k < arrays.size(); ++k) {
      results.push_back(buffer_of(machine, *arrays[k], shapes.at(k)));
    }
    return results;
  }

  std::string name_;
  tpu::Options options_;
  tpu::Fault fault_;
};

}  // namespace

std::unique_ptr<Backend> make_tpu_backend(std::string_view uri) {
  if (uri.starts_with("tpu:")) {
    return std::make_unique<TpuBackend>(std::string(uri), tpu::options_of(uri));
  }
  if (!uri.starts_with(kMutant)) return nullptr;
  const auto fault = tpu::fault_named(uri.substr(kMutant.size()));
  if (!fault) return nullptr;
  return std::make_unique<TpuBackend>(std::string(uri), tpu::Options{}, *fault);
}

std::vector<std::string> known_tpu_backends() {
  std::vector<std::string> known = tpu::known_uris();
  for (const tpu::FaultRow& row : tpu::fault_rows()) {
    known.push_back(std::string(kMutant) + std::string(row.name));
  }
  return known;
}

std::string_view fault_of_tpu_backend(std::string_view uri) {
  if (!uri.starts_with(kMutant)) return {};
  const auto rows = tpu::fault_rows();
  const auto found =
      std::ranges::find(rows, uri.substr(kMutant.size()), &tpu::FaultRow::name);
  return found == rows.end() ? std::string_view() : found->what;
}

}  // namespace hlo
