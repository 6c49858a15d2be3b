#include "backends/tpu/tpu_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "backends/tpu/counts/counts_text.h"
#include "backends/tpu/counts/cycle_model.h"
#include "backends/tpu/counts/instruction_counts.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/memory/trap.h"
#include "backends/tpu/program/tiled_value.h"
#include "backends/tpu/program/told_layouts.h"
#include "backends/tpu/run/grid_run.h"
#include "backends/tpu/run/laid_out.h"
#include "backends/tpu/run/told_splits.h"
#include "interpreter/arithmetic_state.h"
#include "interpreter/counted.h"
#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/devices/parallel_programs.h"

namespace hlo::tpu {
namespace {

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

HostEnds ends_of(const HostSide& host) {
  HostEnds ends;
  if (host.infeed) ends.more = host.infeed();
  if (host.outfeed) ends.outfeed = host.outfeed();
  return ends;
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
          is_run_parallel(*instruction) ||
          instruction->op->randomness != Randomness::kNone) {
        return true;
      }
    }
  }
  return false;
}

/// The arguments of one of so many devices.
std::span<const Buffer> arguments_of(const Module& module, int64_t device,
                                     int64_t devices,
                                     std::span<const Buffer> all) {
  if (all.size() == arrays_of_parameters(module)) return all;
  const size_t each = all.size() / static_cast<size_t>(devices);
  return all.subspan(static_cast<size_t>(device) * each, each);
}

std::vector<Value> parameters_in(Machine& machine, const Module& module,
                                 std::span<const Buffer> arguments) {
  Arguments buffers(machine, arguments);
  std::vector<Value> values;
  for (const Instruction* parameter : module.entry->parameters) {
    values.push_back(buffers.next(parameter->shape));
  }
  give_counts(machine, nullptr);
  return values;
}

}  // namespace

Program::Program(const Module& module, const Options& options, Fault fault,
                 HostSide host)
    : module_(module),
      options_(options),
      fault_(fault),
      host_(std::move(host)),
      plan_(module, *options.generation) {}

Outcome Program::run(std::span<const Buffer> arguments) {
  counters_ = {};
  of_relayouts_ = {};
  by_instruction_ = {};
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

std::variant<ToldElement, Failure> Program::tell(
    std::span<const Buffer> arguments, const AskedElement& asked) {
  const Grid grid = grid_of(module_);
  if (asked.device && (asked.device->replica >= grid.replicas ||
                       asked.device->partition >= grid.partitions)) {
    return Failure{Failure::Kind::kRejected, "explain.device",
                   fmt::format("replica {}, partition {} is asked for, but the "
                               "program runs on {} of {}",
                               asked.device->replica, asked.device->partition,
                               counted(grid.replicas, "replica"),
                               counted(grid.partitions, "partition"))};
  }
  constexpr int64_t kDeepest = 100;
  if (asked.depth > kDeepest) {
    return Failure{
        Failure::Kind::kRejected, "explain.depth",
        fmt::format("--depth is {}, but it can be at most 100", asked.depth)};
  }
  ElementWatch watch(asked);
  watch_ = &watch;
  Outcome outcome = run(arguments);
  watch_ = nullptr;
  if (watch.told()) return *watch.told();
  if (auto* failure = std::get_if<Failure>(&outcome)) return *failure;
  return Failure{Failure::Kind::kRejected, "explain.run",
                 fmt::format("%{} runs {}, and run {} is asked for",
                             asked.instruction->name,
                             counted(watch.runs(), "time"), asked.run)};
}

std::optional<std::string> Program::explanation() const {
  return told_layouts(plan_) + told_splits(plan_, options_.scratch);
}

std::optional<std::string> Program::counts() const {
  return counts_text(counters_, of_relayouts_, *options_.generation) +
         instruction_table(plan_.computations(), by_instruction_);
}

std::vector<Buffer> Program::run_devices(std::span<const Buffer> arguments) {
  const Grid grid = grid_of(module_);
  require_count(grid);
  return grid.count() == 1 || needs_others(module_) || watch_ != nullptr
             ? run_together(grid, arguments)
             : run_one_by_one(arguments);
}

std::vector<Buffer> Program::run_one_by_one(std::span<const Buffer> arguments) {
  const int64_t devices = device_count(module_);
  const bool is_shared = arguments.size() == arrays_of_parameters(module_);
  std::vector<Buffer> results;
  std::vector<Buffer> own;
  for (int64_t device = 0; device < devices; ++device) {
    const int64_t giver = fault_ == Fault::kFirstDeviceForAll ? 0 : device;
    if (device == 0 || !is_shared) {
      own = run_together(Grid{},
                         arguments_of(module_, giver, devices, arguments));
    }
    results.insert(results.end(), own.begin(), own.end());
  }
  return results;
}

std::vector<Buffer> Program::run_together(const Grid& grid,
                                          std::span<const Buffer> arguments) {
  const ReferenceArithmetic arithmetic;
  int64_t elements = 0;
  for (const Buffer& buffer : arguments) {
    elements += buffer.shape.element_count();
  }
  Machines machines(options_, fault_, host_, elements);
  std::vector<DeviceWork> work;
  for (int64_t device = 0; device < grid.count(); ++device) {
    Machine& machine = machines.add(device_of(device, grid));
    const int64_t giver = fault_ == Fault::kFirstDeviceForAll ? 0 : device;
    work.push_back(
        {&machine, module_.entry,
         parameters_in(machine, module_,
                       arguments_of(module_, giver, grid.count(), arguments))});
  }
  HostEnds host = ends_of(host_);
  const std::vector<Value> values =
      run_grid(plan_, grid, std::move(work), host, /*depth=*/0, watch_);
  const std::vector<Shape> shapes = result_shapes(module_);
  std::vector<Buffer> results;
  for (size_t device = 0; device < values.size(); ++device) {
    std::vector<const TiledArray*> arrays;
    append_arrays(values[device], arrays);
    for (const TiledArray* array : arrays) {
      results.push_back(
          buffer_of(machines.at(device), *array, shapes.at(results.size())));
    }
    give_counts(machines.at(device), nullptr);
  }
  add_counts(machines);
  return results;
}

void Program::add_counts(const Machines& machines) {
  for (size_t device = 0; device < machines.size(); ++device) {
    const Machine& machine = machines.at(device);
    add(counters_, machine.counters);
    add(of_relayouts_, machine.of_relayouts);
    add(by_instruction_, machine.by_instruction);
  }
}

}  // namespace hlo::tpu
