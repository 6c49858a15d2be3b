#include "backends/tpu/tpu_program.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "backends/tpu/counts/counts_text.h"
#include "backends/tpu/counts/cycle_model.h"
#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/memory/trap.h"
#include "backends/tpu/program/tiled_value.h"
#include "backends/tpu/program/told_layouts.h"
#include "backends/tpu/run/execution.h"
#include "backends/tpu/run/laid_out.h"
#include "interpreter/arithmetic_state.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kScratch = int64_t{16} << 20;

/// An array whose bytes are those of the buffer.
TiledArray array_in(Machine& machine, const Buffer& buffer) {
  TiledArray array = new_array(machine.memory, buffer.shape);
  if (std::ssize(buffer.bytes) != array.buffer_bytes()) {
    throw std::logic_error(
        "a buffer has not the size that its layout asks for");
  }
  take_bytes(machine, buffer.bytes, array);
  return array;
}

class Arguments {
 public:
  Arguments(Machine& machine, std::span<const Buffer> buffers)
      : machine_(machine), buffers_(buffers) {}

  Value next(const Shape& shape) {
    Value value{.shape = shape};
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
  Machine& machine_;
  std::span<const Buffer> buffers_;
  size_t next_ = 0;
};

void append_arrays(const Value& value, std::vector<const TiledArray*>& arrays) {
  if (value.shape.is_array()) arrays.push_back(&value.array);
  for (const Value& element : value.elements) {
    append_arrays(element, arrays);
  }
}

/// Puts the run-time sizes in front of the elements, 4 bytes each, lowest
/// first, where the layout has room for all (spec/layout.md).
void write_sizes(const TiledArray& array, const Shape& shape) {
  constexpr size_t kWidth = 4;
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
Buffer buffer_of(Machine& machine, const TiledArray& array,
                 const Shape& shape) {
  Shape stated = shape;
  if (!stated.layout) stated.layout = default_layout(shape.rank());
  const TiledArray asked =
      machine.has(Fault::kResultAsItLies)
          ? array
          : laid_out(machine, {.shape = array.shape, .array = array}, {stated})
                .array;
  if (!machine.has(Fault::kSizesNotWritten)) write_sizes(asked, shape);
  const auto bytes =
      asked.memory->bytes().first(static_cast<size_t>(asked.buffer_bytes()));
  return {shape, Bytes(bytes)};
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

}  // namespace

Program::Program(const Module& module, const Options& options, Fault fault)
    : module_(module),
      options_(options),
      fault_(fault),
      plan_(module, *options.generation) {}

Outcome Program::run(std::span<const Buffer> arguments) {
  counters_ = {};
  of_relayouts_ = {};
  try {
    return run_devices(arguments);
  } catch (const Error& error) {
    return to_failure(error);
  } catch (const Trap& trap) {
    return Failure{Failure::Kind::kError, "", trap.rule() + ": " + trap.what()};
  } catch (const Unsupported& unsupported) {
    return Failure{Failure::Kind::kUnsupported, "", unsupported.what()};
  }
}

std::optional<std::string> Program::explanation() const {
  return told_layouts(plan_);
}

std::optional<std::string> Program::counts() const {
  return counts_text(counters_, of_relayouts_, *options_.generation);
}

std::vector<Buffer> Program::run_devices(std::span<const Buffer> arguments) {
  const int64_t devices = module_.replica_count * module_.num_partitions;
  if (devices == 1) return run_on_one_device(arguments);
  if (needs_others(module_)) {
    throw Unsupported("does not run several devices");
  }
  const size_t count =
      result_shapes(module_).size() / static_cast<size_t>(devices);
  const size_t each = arguments.size() / static_cast<size_t>(devices);
  const bool is_shared = arguments.size() == arrays_of_parameters(module_);
  std::vector<Buffer> results;
  for (int64_t device = 0; device < devices; ++device) {
    std::vector<Buffer> own;
    const int64_t giver = fault_ == Fault::kFirstDeviceForAll ? 0 : device;
    if (is_shared && device > 0) {
      own.assign(results.begin(),
                 results.begin() + static_cast<std::ptrdiff_t>(count));
    } else {
      own = run_on_one_device(
          is_shared
              ? arguments
              : arguments.subspan(static_cast<size_t>(giver) * each, each));
    }
    results.insert(results.end(), own.begin(), own.end());
  }
  return results;
}

std::vector<Buffer> Program::run_on_one_device(
    std::span<const Buffer> arguments) {
  const ReferenceArithmetic arithmetic;
  int64_t elements = 0;
  for (const Buffer& buffer : arguments) {
    elements += buffer.shape.element_count();
  }
  Evaluator evaluator(kReference, {.max_work = Budget::by_inputs(elements)});
  Machine machine{
      .memory = Hbm(options_.generation->least_bytes, options_.poison),
      .scratch = Scratch(kScratch, fault_),
      .matrix = options_.matrix,
      .fault = fault_,
      .evaluator = evaluator,
      .generation = options_.generation};
  Arguments buffers(machine, arguments);
  std::vector<Value> values;
  for (const Instruction* parameter : module_.entry->parameters) {
    values.push_back(buffers.next(parameter->shape));
  }
  Values pointers;
  for (const Value& value : values) pointers.push_back(&value);
  const Value result = execute(machine, plan_, *module_.entry, pointers);
  std::vector<const TiledArray*> arrays;
  append_arrays(result, arrays);
  const std::vector<Shape> shapes = result_shapes(module_);
  std::vector<Buffer> results;
  for (size_t k = 0; k < arrays.size(); ++k) {
    results.push_back(buffer_of(machine, *arrays[k], shapes.at(k)));
  }
  add(counters_, machine.counters);
  add(of_relayouts_, machine.of_relayouts);
  return results;
}

}  // namespace hlo::tpu
