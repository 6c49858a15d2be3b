#include "backends/cpu/graph/map_nodes.h"

#include <utility>
#include <vector>

#include "backends/cpu/graph/lane_nodes.h"
#include "backends/cpu/routines/regions/lane_code.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

/// A node that computes an array of such a type of arrays as large.
Operand add_map(Graph& graph, const Instruction& instruction, Code code,
                std::vector<Operand> operands, ElementType type) {
  Node node;
  node.kind = NodeKind::kMap;
  node.instruction = &instruction;
  node.op.code = code;
  node.operands = std::move(operands);
  return graph.add_node(std::move(node),
                        Shape::array(type, instruction.shape.dims));
}

/// Operands as a pass over tiles reads them. Scalars may stand for whole arrays
/// (clamp, select).
std::vector<Operand> readable(Graph& graph, const Instruction& instruction,
                              std::span<Operand* const> operands) {
  std::vector<Operand> own;
  for (Operand* operand : operands) {
    *operand = readable(graph, *operand);
    own.push_back(*operand);
    View& view = own.back().view;
    if (view.dims.empty()) view = view.broadcast({}, instruction.shape.dims);
  }
  return own;
}

/// clamp, where no operation computes it, as a maximum and a minimum.
std::optional<Operand> clamp_nodes(Graph& graph, const Instruction& instruction,
                                   std::span<Operand* const> operands) {
  const ElementType type = instruction.shape.element_type;
  const std::optional<Code> maximum = named_lane_code("maximum", type);
  const std::optional<Code> minimum = named_lane_code("minimum", type);
  if (!maximum || !minimum) return std::nullopt;
  std::vector<Operand> own = readable(graph, instruction, operands);
  Operand above = add_map(graph, instruction, *maximum, {own[1], own[0]}, type);
  return add_map(graph, instruction, *minimum, {std::move(above), own[2]},
                 type);
}

}  // namespace

std::optional<Operand> map_node(Graph& graph, const Instruction& instruction,
                                std::span<Operand* const> operands) {
  if (operands.empty() || operands.size() > 3) return std::nullopt;
  std::vector<ElementType> types;
  for (const Operand* operand : operands) {
    types.push_back(graph.values[operand->value].shape.element_type);
  }
  const std::optional<LaneCode> code = lane_code(instruction, types);
  if (!code) {
    return instruction.op->name == "clamp"
               ? clamp_nodes(graph, instruction, operands)
               : std::nullopt;
  }
  std::vector<Operand> own = readable(graph, instruction, operands);
  if (code->exchanged) std::swap(own[0], own[1]);
  if (code->before) {
    own = {add_map(graph, instruction, *code->before, std::move(own),
                   ElementType::kF64)};
  }
  return add_map(graph, instruction, code->code, std::move(own),
                 instruction.shape.element_type);
}

}  // namespace hlo::cpu
