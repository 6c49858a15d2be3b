#include "backends/cpu/graph/lane_nodes.h"

#include <utility>

#include "backends/cpu/routines/regions/combining_region.h"

namespace hlo::cpu {
namespace {

Operand converted(Graph& graph, Operand operand, ElementType type, Code code) {
  Node node;
  node.kind = NodeKind::kMap;
  node.op.code = code;
  node.operands = {readable(graph, std::move(operand))};
  const Shape shape = Shape::array(type, node.operands[0].view.dims);
  return graph.add_node(std::move(node), shape);
}

}  // namespace

Operand widened(Graph& graph, Operand operand) {
  const ElementType type = graph.values[operand.value].shape.element_type;
  if (combined_type(type) == type) return operand;
  return converted(graph, std::move(operand), ElementType::kF32, Code::kQuiet);
}

Operand rounded(Graph& graph, Operand operand, ElementType type) {
  if (combined_type(type) == type) return operand;
  const Code code =
      type == ElementType::kBF16 ? Code::kRoundToBf16 : Code::kRoundToF16;
  return converted(graph, std::move(operand), type, code);
}

Operand readable(Graph& graph, Operand operand) {
  const int64_t stride = operand.view.inner_stride();
  if (stride != 0 && stride != 1) graph.make_contiguous(operand);
  return operand;
}

}  // namespace hlo::cpu
