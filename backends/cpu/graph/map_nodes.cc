#include "backends/cpu/graph/map_nodes.h"

#include <utility>
#include <vector>

#include "backends/cpu/graph/lane_nodes.h"
#include "backends/cpu/routines/lane_code.h"

namespace hlo::cpu {

std::optional<Operand> map_node(Graph& graph, const Instruction& instruction,
                                std::span<Operand* const> operands) {
  if (operands.empty() || operands.size() > 3) return std::nullopt;
  std::vector<ElementType> types;
  for (const Operand* operand : operands) {
    types.push_back(graph.values[operand->value].shape.element_type);
  }
  const std::optional<LaneCode> code = lane_code(instruction, types);
  if (!code) return std::nullopt;
  Node node;
  node.kind = NodeKind::kMap;
  node.instruction = &instruction;
  node.op.code = code->code;
  for (Operand* operand : operands) {
    *operand = readable(graph, *operand);
    node.operands.push_back(*operand);
    View& view = node.operands.back().view;
    // Scalars may stand for whole arrays (clamp, select).
    if (view.dims.empty()) view = view.broadcast({}, instruction.shape.dims);
  }
  if (code->exchanged) std::swap(node.operands[0], node.operands[1]);
  return graph.add_node(std::move(node), instruction.shape);
}

}  // namespace hlo::cpu
