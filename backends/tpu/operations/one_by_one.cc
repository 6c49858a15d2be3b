#include "backends/tpu/operations/one_by_one.h"

#include <array>
#include <utility>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/program/assign_layout.h"

namespace hlo::tpu {
namespace {

constexpr std::array kSlow = std::to_array<SlowOperation>({
    {"sort", "there are more operands than registers in the scratch memory"},
});

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

}  // namespace hlo::tpu
