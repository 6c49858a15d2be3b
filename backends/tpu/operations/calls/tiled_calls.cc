#include "backends/tpu/operations/calls/tiled_calls.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "backends/tpu/counts/cycle_model.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/fills/fill.h"
#include "backends/tpu/operations/lane_source.h"
#include "backends/tpu/operations/operations.h"
#include "backends/tpu/operations/sizes/fitted.h"
#include "backends/tpu/operations/sizes/rearranged.h"
#include "backends/tpu/program/assign_layout.h"
#include "interpreter/foreign/call_meaning.h"
#include "interpreter/foreign/foreign_call.h"
#include "interpreter/model/index_loops.h"
#include "interpreter/rules/work.h"

namespace hlo::tpu {
namespace {

/// Whether lanes of the array's register r that are elements within its sizes
/// equal those of another.
bool equal_lanes(const TiledArray& array, int64_t r, const Register& a,
                 const Register& b) {
  const std::vector<int64_t>& sizes = sizes_of(array);
  for (const TileOrder::Run& run : array.order->runs(r)) {
    for (int64_t k = run.first; k < run.first + run.count; ++k) {
      const Index index = delinearize(array.order->element_of(r * kLanes + k),
                                      array.shape.dims);
      if (std::ranges::equal(index, sizes, std::less{}) &&
          !are_equal(load(a.type(), a.lane(k)), load(b.type(), b.lane(k)),
                     a.type())) {
        return false;
      }
    }
  }
  return true;
}

/// Whether all elements are equal. Arrays of other sizes at run time are not.
bool are_equal_arrays(Machine& machine, const TiledArray& a,
                      const TiledArray& b) {
  if (sizes_of(a) != sizes_of(b)) return false;
  const LaneSource source(machine, b, a);
  bool all = true;
  for (int64_t r = 0; r < a.registers() && all; ++r) {
    all = equal_lanes(a, r, load_register(machine, a, r), source.at(r));
    machine.counters.vector_operations += 1;
  }
  return all;
}

/// The memory of an array, as functions are given it.
std::shared_ptr<std::byte> bytes_of(const TiledArray& array) {
  return {array.memory, array.memory->bytes().data()};
}

/// A copy between layouts, which is counted as one.
TiledArray copied(Machine& machine, const TiledArray& array,
                  const Shape& shape) {
  const Counters before = machine.counters;
  TiledArray copy = relayout(machine, array, shape);
  add(machine.of_relayouts, counted_since(before, machine.counters));
  return copy;
}

/// A copy in the layout that the function takes, with zeros for padding.
CallMemory handed_over(Machine& machine, const Value& operand,
                       const Shape& shape) {
  CallMemory memory{.shape = shape};
  for (size_t k = 0; k < operand.elements.size(); ++k) {
    memory.elements.push_back(
        handed_over(machine, operand.elements[k], shape.tuple_shapes[k]));
  }
  if (shape.is_array()) {
    const TiledArray copy = copied(machine, operand.array, shape);
    copy.memory->clear_padding();
    memory.bytes = bytes_of(copy);
  }
  return memory;
}

/// Arrays of zeros that the function writes.
Value unwritten(Machine& machine, const Shape& shape) {
  Value value{.shape = shape};
  for (const Shape& element : shape.tuple_shapes) {
    value.elements.push_back(unwritten(machine, element));
  }
  if (shape.is_array()) {
    value.array = new_array(machine.memory, shape);
    std::ranges::fill(value.array.memory->bytes(), std::byte{});
  }
  return value;
}

CallMemory memory_of(const Value& value) {
  CallMemory memory{.shape = value.shape};
  for (const Value& element : value.elements) {
    memory.elements.push_back(memory_of(element));
  }
  if (value.shape.is_array()) memory.bytes = bytes_of(value.array);
  return memory;
}

/// The value that the function has written there, or where an operand lies, in
/// the layouts of the machine: unused bits are as it stores them.
Value written(Machine& machine, const Value& value, const CallMemory& memory,
              const Shape& shape) {
  Value result{.shape = shape};
  for (size_t k = 0; k < value.elements.size(); ++k) {
    result.elements.push_back(written(
        machine, value.elements[k], memory.elements[k], shape.tuple_shapes[k]));
  }
  if (shape.is_array()) {
    const auto size = static_cast<size_t>(value.array.buffer_bytes());
    take_bytes(machine, {memory.bytes.get(), size}, value.array);
    result.array =
        copied(machine, value.array, placed(*machine.generation, shape));
    result.shape = result.array.shape;
  }
  return result;
}

Value call_function(Machine& machine, const Instruction& custom_call,
                    const Values& operands) {
  require_callable(custom_call, !are_sized(operands));
  const CallShapes shapes = call_shapes(custom_call, machine.evaluator);
  std::vector<CallMemory> in;
  for (size_t k = 0; k < operands.size(); ++k) {
    in.push_back(handed_over(machine, *operands[k], shapes.operands[k]));
  }
  const Value result = unwritten(machine, shapes.result);
  CallMemory out = memory_of(result);
  call_foreign_on(custom_call, in, out, machine.evaluator);
  return written(machine, result, out, custom_call.shape);
}

}  // namespace

Value called(Machine& machine, const Instruction& custom_call,
             const Values& operands) {
  machine.evaluator.budget().spend(work_of(custom_call));
  switch (meaning_of(custom_call)) {
    case CallMeaning::kCheck:
      return zeros(machine, custom_call.shape);
    case CallMeaning::kEquality:
      return word(
          machine, ElementType::kPred,
          are_equal_arrays(machine, operands[0]->array, operands[1]->array)
              ? 1
              : 0);
    default:
      return call_function(machine, custom_call, operands);
  }
}

}  // namespace hlo::tpu
