#include "backends/tpu/program/tiled_value.h"

#include <utility>

namespace hlo::tpu {

Value tuple_of(std::vector<Value> values) {
  Value tuple{.shape = Shape::tuple({})};
  for (const Value& value : values) {
    tuple.shape.tuple_shapes.push_back(value.shape);
  }
  tuple.elements = std::move(values);
  return tuple;
}

Value one_or_tuple(std::vector<Value> values) {
  if (values.size() == 1) return std::move(values[0]);
  return tuple_of(std::move(values));
}

Value value_of(TiledArray array) {
  Shape shape = array.shape;
  return {.shape = std::move(shape), .array = std::move(array)};
}

}  // namespace hlo::tpu
