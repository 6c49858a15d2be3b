#include "backends/tpu/run/laid_out.h"

#include <utility>

#include "backends/tpu/counts/cycle_model.h"
#include "backends/tpu/operations/operations.h"

namespace hlo::tpu {
namespace {

void lay_out(Machine& machine, Value& value, const Shape*& next) {
  if (value.shape.is_tuple()) {
    for (Value& element : value.elements) lay_out(machine, element, next);
    return;
  }
  const Shape& leaf = *next++;
  if (!value.shape.is_array() || value.array.shape.layout == leaf.layout) {
    return;
  }
  Shape shape = value.array.shape;
  shape.layout = leaf.layout;
  const Counters before = machine.counters;
  value.array = relayout(machine, value.array, shape);
  add(machine.of_relayouts, counted_since(before, machine.counters));
  value.shape = value.array.shape;
}

void set_layouts(Shape& shape, const Shape*& next) {
  if (shape.is_tuple()) {
    for (Shape& element : shape.tuple_shapes) set_layouts(element, next);
  } else {
    shape.layout = (next++)->layout;
  }
}

}  // namespace

Value laid_out(Machine& machine, Value value, const Leaves& leaves) {
  const Shape* next = leaves.data();
  lay_out(machine, value, next);
  return value;
}

Shape with_leaves(const Shape& shape, const Leaves& leaves) {
  Shape all = shape;
  const Shape* next = leaves.data();
  set_layouts(all, next);
  return all;
}

}  // namespace hlo::tpu
