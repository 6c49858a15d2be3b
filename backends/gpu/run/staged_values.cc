#include "backends/gpu/run/staged_values.h"

#include <utility>

namespace hlo::gpu {

Shape without_sizes(Shape shape) {
  shape.dynamic.clear();
  for (Shape& element : shape.tuple_shapes) {
    element = without_sizes(std::move(element));
  }
  return shape;
}

Uploads::Uploads(Memory& memory, cpu::Operands arrays) {
  for (const cpu::Array* array : arrays) {
    values_.push_back(uploaded(memory, *array));
  }
}

Values Uploads::places() const {
  Values places;
  for (const Value& value : values_) places.push_back(&value);
  return places;
}

Value uploaded(Memory& memory, const cpu::Array& array) {
  Value value{without_sizes(array.shape), nullptr, {}};
  for (const cpu::Array& element : array.elements) {
    value.elements.push_back(uploaded(memory, element));
  }
  if (!array.shape.is_array()) return value;
  value = new_array(memory, value.shape);
  memory.device().write(value.place->offset(), array.bytes);
  return value;
}

cpu::Array downloaded(Memory& memory, const Value& value, const Shape& shape) {
  cpu::Array array(value.shape);
  for (size_t i = 0; i < value.elements.size(); ++i) {
    array.elements.push_back(
        downloaded(memory, value.elements[i], shape.tuple_shapes.at(i)));
  }
  array.shape.layout.reset();
  array.shape.dynamic = shape.dynamic;
  if (array.shape.is_array()) {
    memory.device().read(value.place->offset(), array.bytes);
  }
  return array;
}

}  // namespace hlo::gpu
