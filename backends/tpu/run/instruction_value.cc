#include "backends/tpu/run/instruction_value.h"

#include <string>
#include <utility>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/bits/bitcasts.h"
#include "backends/tpu/operations/calls/tiled_calls.h"
#include "backends/tpu/operations/fills/fill.h"
#include "backends/tpu/operations/one_by_one.h"
#include "backends/tpu/operations/sizes/fitted.h"
#include "backends/tpu/operations/sizes/rearranged.h"
#include "backends/tpu/operations/sizes/resize.h"
#include "backends/tpu/operations/sizes/sized_scales.h"
#include "backends/tpu/program/assign_layout.h"
#include "backends/tpu/run/laid_out.h"
#include "backends/tpu/run/on_tiles.h"
#include "interpreter/error.h"
#include "interpreter/foreign/call_meaning.h"
#include "interpreter/foreign/targets.h"
#include "interpreter/rules/float_types.h"

namespace hlo::tpu {
namespace {

/// An array, or the tuple of several.
Value as_value(const Shape& shape, std::vector<TiledArray> arrays) {
  if (shape.is_array()) {
    return {.shape = arrays[0].shape, .array = std::move(arrays[0])};
  }
  Value tuple{.shape = shape};
  for (TiledArray& array : arrays) {
    tuple.elements.push_back({.shape = array.shape, .array = array});
  }
  return tuple;
}

/// Whether a custom-call marks its operand for others.
bool is_marker(const Instruction& instruction) {
  return instruction.op->form == Form::kForeign &&
         meaning_of(instruction) == CallMeaning::kMark;
}

bool is_as_it_is(const Instruction& instruction, const Values& operands) {
  return (instruction.op->form == Form::kIdentity || is_marker(instruction)) &&
         same_types(instruction.shape, operands[0]->shape);
}

/// Its literal, which the program has, is stored into tiles.
Value constant(Machine& machine, const Instruction& instruction,
               const Leaves& leaves) {
  require_evaluable(instruction.literal != nullptr, "constant.elided",
                    {"the elements of the constant are {...}"},
                    "the text must give those of a constant that is used");
  return write_value(machine, *instruction.literal,
                     with_leaves(instruction.shape, leaves));
}

/// The value of an operation whose operands have all elements of their bounds.
Value whole(Machine& machine, const Instruction& instruction,
            const Values& operands, const Leaves& leaves,
            const RunProgram& run) {
  if (!operands.empty()) {
    if (auto value = reread_bits(machine, instruction, *operands[0],
                                 with_leaves(instruction.shape, leaves))) {
      return *std::move(value);
    }
  }
  if (auto arrays = on_tiles(machine, instruction, operands, leaves, run)) {
    return as_value(instruction.shape, *std::move(arrays));
  }
  throw Unsupported("does not run " +
                    std::string(function_name(*instruction.op)));
}

/// The arrays of the value within the bounds of `shape`.
Value bounded(Machine& machine, const Value& value, const Shape& shape) {
  Value result{.shape = shape};
  for (size_t k = 0; k < value.elements.size(); ++k) {
    result.elements.push_back(
        bounded(machine, value.elements[k], shape.tuple_shapes[k]));
  }
  if (shape.is_array()) result.array = in_bounds(machine, value.array, shape);
  return result;
}

Leaves placed_leaves(const Machine& machine, const Shape& shape) {
  Leaves placed_ones;
  for (const Shape* leaf : leaves(shape)) {
    placed_ones.push_back(leaf->is_array() ? placed(*machine.generation, *leaf)
                                           : *leaf);
  }
  return placed_ones;
}

/// At the sizes that the operands have at run time.
Value fitted_value(Machine& machine, const Instruction& instruction,
                   const Values& operands, const RunProgram& run) {
  const Fitted fit = fitted(machine, instruction, operands);
  return bounded(machine,
                 whole(machine, fit.instruction, fit.pointers(),
                       placed_leaves(machine, fit.instruction.shape), run),
                 instruction.shape);
}

/// The value of an operation on operands of which some have fewer elements.
Value sized(Machine& machine, const Instruction& instruction,
            const Values& operands, const Leaves& leaves,
            const RunProgram& run) {
  if (instruction.op->element != nullptr) {
    Value value = whole(machine, instruction, operands, leaves, run);
    set_sizes(value.array, least_sizes(instruction.shape, operands));
    return value;
  }
  if (instruction.op->name != "scaled-dot") {
    return fitted_value(machine, instruction, operands, run);
  }
  const SizedScales dot(machine, instruction, operands);
  return fitted_value(machine, dot.instruction, dot.operands, run);
}

}  // namespace

Value instruction_value(Machine& machine, const Instruction& instruction,
                        const Values& operands, const Values& read,
                        const Leaves& leaves, const RunProgram& run) {
  if (is_as_it_is(instruction, operands)) return *operands[0];
  const Op& op = *instruction.op;
  if (op.form == Form::kIdentity && op.element == nullptr) {
    return retyped(machine, *operands[0], instruction.shape);
  }
  if (op.form == Form::kConstant) return constant(machine, instruction, leaves);
  if (instruction.shape.is_token() && op.form != Form::kForeign) {
    return {.shape = instruction.shape};
  }
  if (op.form == Form::kForeign && op.element == nullptr) {
    return called(machine, instruction, operands);
  }
  if (auto array = resized(machine, instruction, operands)) {
    return {.shape = array->shape, .array = *std::move(array)};
  }
  if (!are_sized(operands))
    return whole(machine, instruction, read, leaves, run);
  return sized(machine, instruction, read, leaves, run);
}

}  // namespace hlo::tpu
