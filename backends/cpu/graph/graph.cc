#include "backends/cpu/graph/graph.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hlo::cpu {
namespace {

bool may_be_dropped(const Node& node) {
  return node.kind != NodeKind::kFunction;
}

}  // namespace

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

void Graph::drop_unread_nodes() {
  std::vector<bool> is_read(values.size());
  for (const Operand& result : results) is_read[result.value] = true;
  std::vector<Node> kept;
  for (size_t n = nodes.size(); n-- > 0;) {
    const auto& own = nodes[n].results;
    const bool stays =
        std::ranges::any_of(own, [&](size_t value) { return is_read[value]; });
    if (!stays && may_be_dropped(nodes[n])) {
      for (const size_t value : own) {
        values[value].bytes = 0;
        values[value].node = -1;
      }
      continue;
    }
    for (const Operand& operand : nodes[n].operands) {
      is_read[operand.value] = true;
    }
    kept.push_back(std::move(nodes[n]));
  }
  nodes.assign(std::make_move_iterator(kept.rbegin()),
               std::make_move_iterator(kept.rend()));
  for (size_t n = 0; n < nodes.size(); ++n) {
    for (const size_t value : nodes[n].results) {
      values[value].node = static_cast<int64_t>(n);
    }
  }
}

}  // namespace hlo::cpu
