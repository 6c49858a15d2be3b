#include "backends/cpu/graph/kernel_nodes.h"

#include <algorithm>

#include "backends/cpu/graph/concatenate_nodes.h"
#include "backends/cpu/graph/contraction_nodes.h"
#include "backends/cpu/graph/fold_nodes.h"
#include "backends/cpu/graph/iota_node.h"
#include "backends/cpu/graph/map_nodes.h"
#include "backends/cpu/graph/slice_nodes.h"
#include "backends/cpu/graph/view_nodes.h"

namespace hlo::cpu {

std::optional<Operand> kernel_node(Graph& graph, const Instruction& instruction,
                                   std::span<Operand* const> operands) {
  const auto is_empty = [](const Operand* operand) {
    return operand->view.count() == 0;
  };
  if (instruction.shape.element_count() == 0 ||
      std::ranges::any_of(operands, is_empty)) {
    return std::nullopt;
  }
  std::optional<Operand> result = view_node(graph, instruction, operands);
  if (!result) result = map_node(graph, instruction, operands);
  if (!result) result = contraction_node(graph, instruction, operands);
  if (!result) result = fold_node(graph, instruction, operands);
  if (!result) result = concatenate_node(graph, instruction, operands);
  if (!result) result = iota_node(graph, instruction);
  if (!result) result = slice_node(graph, instruction, operands);
  return result;
}

}  // namespace hlo::cpu
