#include "backends/tpu/operations/one_by_one.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/machine/whole_array.h"
#include "backends/tpu/program/assign_layout.h"
#include "interpreter/evaluate.h"
#include "interpreter/foreign/targets.h"

namespace hlo::tpu {
namespace {

constexpr std::array kSlow = std::to_array<SlowOperation>({
    {"bitcast", "a layout keeps sizes in front of the elements"},
    {"custom-call", "the target is no element-wise function and no marker"},
    {"scaled-dot", "an operand has fewer elements than its bounds"},
    {"sort", "there are more operands than registers in the scratch memory"},
});

void require_listed(const Instruction& instruction) {
  const std::string_view name = function_name(*instruction.op);
  if (std::ranges::find(kSlow, name, &SlowOperation::name) == kSlow.end()) {
    throw Unsupported("does not run " + std::string(name));
  }
}

int64_t bytes_of(const Literal& value) {
  int64_t bytes = 0;
  for (const Literal* leaf : leaves(value)) {
    if (leaf->shape().is_array()) bytes += std::ssize(leaf->bytes());
  }
  return bytes;
}

}  // namespace

std::span<const SlowOperation> slow_operations() { return kSlow; }

Literal read_value(Machine& machine, const Value& value) {
  if (value.shape.is_array()) return read_elements(machine, value.array);
  if (!value.shape.is_tuple()) return Literal(value.shape);
  std::vector<Literal> elements;
  for (const Value& element : value.elements) {
    elements.push_back(read_value(machine, element));
  }
  return Literal::tuple(std::move(elements));
}

Value write_value(Machine& machine, const Literal& literal,
                  const Shape& shape) {
  Value value{.shape = literal.shape()};
  if (shape.is_tuple()) {
    value.shape = shape;
    for (size_t k = 0; k < literal.elements().size(); ++k) {
      value.elements.push_back(
          write_value(machine, literal.elements()[k], shape.tuple_shapes[k]));
    }
  } else if (shape.is_array()) {
    Shape array = literal.shape();
    array.layout = placed(*machine.generation, shape).layout;
    value.array = new_array(machine.memory, array);
    value.array.sizes = literal.dynamic_sizes();
    write_elements(machine, literal, value.array);
  }
  return value;
}

Value one_by_one(Machine& machine, const Instruction& instruction,
                 const Values& operands, const Shape& shape) {
  require_listed(instruction);
  std::vector<Literal> literals;
  std::vector<std::optional<ScratchRoom>> rooms;
  for (const Value* operand : operands) {
    literals.push_back(read_value(machine, *operand));
    rooms.push_back(room_for_whole(machine, bytes_of(literals.back())));
  }
  const Literal result =
      evaluate_instruction(instruction, literals, machine.evaluator);
  rooms.push_back(room_for_whole(machine, bytes_of(result)));
  return write_value(machine, result, shape);
}

}  // namespace hlo::tpu
