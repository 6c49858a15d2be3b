#include "backends/cpu/graph/concatenate_nodes.h"

#include <algorithm>
#include <utility>

#include "interpreter/rules/op.h"

namespace hlo::cpu {

std::optional<Operand> concatenate_node(Graph& graph,
                                        const Instruction& instruction,
                                        std::span<Operand* const> operands) {
  const auto has_type = [&](const Operand* operand) {
    return graph.values[operand->value].shape.element_type ==
           instruction.shape.element_type;
  };
  if (instruction.op->name != "concatenate" ||
      !std::ranges::all_of(operands, has_type)) {
    return std::nullopt;
  }
  Node node;
  node.kind = NodeKind::kConcatenate;
  node.instruction = &instruction;
  for (const Operand* operand : operands) node.operands.push_back(*operand);
  return graph.add_node(std::move(node), instruction.shape);
}

}  // namespace hlo::cpu
