#include "backends/cpu/graph/slice_nodes.h"

#include <algorithm>

#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

bool is_index(const Graph& graph, const Operand& operand) {
  const ElementType type = graph.values[operand.value].shape.element_type;
  return operand.view.dims.empty() &&
         (type == ElementType::kS32 || type == ElementType::kU32 ||
          type == ElementType::kS64);
}

/// Whether all are of the result's type, so that bytes are only moved.
bool keeps_type(const Graph& graph, const Instruction& instruction,
                std::span<Operand* const> arrays) {
  return std::ranges::all_of(arrays, [&](const Operand* operand) {
    return graph.values[operand->value].shape.element_type ==
           instruction.shape.element_type;
  });
}

}  // namespace

std::optional<Operand> slice_node(Graph& graph, const Instruction& instruction,
                                  std::span<Operand* const> operands) {
  const bool updates = instruction.op->name == "dynamic-update-slice";
  if (!updates && instruction.op->name != "dynamic-slice") return std::nullopt;
  const std::span<Operand* const> arrays = operands.first(updates ? 2 : 1);
  const std::span<Operand* const> indices = operands.subspan(arrays.size());
  const auto fits = [&](const Operand* index) {
    return is_index(graph, *index);
  };
  if (indices.size() != arrays[0]->view.dims.size() ||
      !std::ranges::all_of(indices, fits) ||
      !keeps_type(graph, instruction, arrays)) {
    return std::nullopt;
  }
  if (updates) {
    for (Operand* array : arrays) graph.make_contiguous(*array);
  }
  Node node;
  node.kind = updates ? NodeKind::kUpdate : NodeKind::kSlice;
  node.instruction = &instruction;
  for (const Operand* operand : operands) node.operands.push_back(*operand);
  return graph.add_node(std::move(node), instruction.shape);
}

}  // namespace hlo::cpu
