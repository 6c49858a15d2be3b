#include "backends/cpu/graph/graph.h"

#include <utility>

namespace hlo::cpu {

size_t Graph::add_value(const Shape& shape) {
  Value value;
  value.shape = shape;
  value.shape.layout.reset();
  if (shape.is_array()) {
    value.bytes = static_cast<size_t>(shape.element_count()) *
                  static_cast<size_t>(storage_bytes(shape.element_type));
  }
  values.push_back(std::move(value));
  return values.size() - 1;
}

Operand Graph::add_node(Node node, const Shape& result) {
  const size_t value = add_value(result);
  values[value].node = static_cast<int64_t>(nodes.size());
  node.results = {value};
  nodes.push_back(std::move(node));
  return {value, View::dense(result.dims)};
}

void Graph::make_contiguous(Operand& operand) {
  if (operand.view.is_contiguous()) return;
  Shape shape = values[operand.value].shape;
  shape.dims = operand.view.dims;
  Node copy;
  copy.kind = NodeKind::kCopy;
  copy.operands = {operand};
  operand = add_node(std::move(copy), shape);
}

}  // namespace hlo::cpu
