#include "backends/gpu/program/value.h"

#include <utility>

#include "interpreter/counted.h"
#include "interpreter/rules/op.h"

namespace hlo::gpu {

void refuse(const Instruction& instruction, const std::string& reason) {
  const Shape& shape = *leaves(instruction.shape).at(0);
  std::string text =
      "does not run " + std::string(instruction.op->name) + " of ";
  throw Unsupported(text + std::string(hlo::name(shape.element_type)) + ": " +
                    reason);
}

int64_t elements_in(const Ints& sizes) {
  return Shape::array(ElementType::kPred, sizes).element_count();
}

Value new_array(Memory& memory, const Shape& shape) {
  const int64_t count = shape.element_count();
  const auto width = static_cast<uint64_t>(storage_bytes(shape.element_type));
  if (static_cast<uint64_t>(count) > memory.limit() / width) {
    throw DeviceError("an array has " + counted(count, "element") + " of " +
                      memory.too_many(width));
  }
  Value value{shape, nullptr, {}};
  value.place = std::make_shared<const Block>(
      memory, static_cast<uint64_t>(count) * width);
  return value;
}

Value upload(Memory& memory, const Literal& literal) {
  if (literal.shape().is_tuple()) {
    Value value{literal.shape(), nullptr, {}};
    for (const Literal& element : literal.elements()) {
      value.elements.push_back(upload(memory, element));
    }
    return value;
  }
  if (!literal.shape().is_array()) return {literal.shape(), nullptr, {}};
  Value value = new_array(memory, literal.shape());
  memory.device().write(value.place->offset(), literal.bytes());
  return value;
}

Literal download(Memory& memory, const Value& value) {
  if (value.shape.is_tuple()) {
    std::vector<Literal> elements;
    for (const Value& element : value.elements) {
      elements.push_back(download(memory, element));
    }
    return Literal::tuple(std::move(elements));
  }
  if (!value.shape.is_array()) return Literal(value.shape);
  Literal literal = Literal::uninitialized(value.shape);
  memory.device().read(value.place->offset(), literal.mutable_bytes());
  return literal;
}

Value with_shape(const Value& value, const Shape& shape) {
  Value result = value;
  result.shape = shape;
  return result;
}

int64_t integer_at(Memory& memory, const Value& array, int64_t place) {
  Literal number =
      Literal::uninitialized(Shape::scalar(array.shape.element_type));
  const int64_t width = storage_bytes(array.shape.element_type);
  memory.device().read(static_cast<uint64_t>(array.offset() + place * width),
                       number.mutable_bytes());
  return number.integer(0);
}

}  // namespace hlo::gpu
