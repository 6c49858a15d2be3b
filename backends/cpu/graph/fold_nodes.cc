#include "backends/cpu/graph/fold_nodes.h"

#include <algorithm>

#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

/// How a region of one operation on its two parameters folds.
std::optional<Fold> fold_of(const Computation& region) {
  const Instruction& root = *region.root;
  const bool plain =
      region.parameters.size() == 2 && region.instructions.size() == 3 &&
      root.operands.size() == 2 && root.operands[0] != root.operands[1] &&
      root.shape == Shape::scalar(ElementType::kF32);
  if (!plain) return std::nullopt;
  if (root.op->name == "add") return Fold::kAdd;
  if (root.op->name == "maximum") return Fold::kMaximum;
  if (root.op->name == "minimum") return Fold::kMinimum;
  return std::nullopt;
}

/// The sizes before, of and after the folded dimensions, where these lie beside
/// each other.
std::optional<Ints> middle(const std::vector<int64_t>& dims, Ints folded) {
  std::ranges::sort(folded);
  Ints sizes = {1, 1, 1};
  size_t part = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    const bool inside =
        std::ranges::count(folded, static_cast<int64_t>(d)) != 0;
    if (inside && part == 0) part = 1;
    if (!inside && part == 1 && dims[d] != 1) part = 2;
    if (inside && part == 2 && dims[d] != 1) return std::nullopt;
    sizes[part] *= dims[d];
  }
  return sizes;
}

std::optional<Operand> reduce_node(Graph& graph, const Instruction& reduce,
                                   Node node, Operand& operand) {
  const std::optional<Ints> sizes =
      middle(operand.view.dims, reduce.get<Ints>("dimensions"));
  if (!sizes) return std::nullopt;
  graph.make_contiguous(operand);
  node.kind = NodeKind::kFold;
  node.operands = {{operand.value, *operand.view.reshaped(*sizes)}};
  return graph.add_node(std::move(node), reduce.shape);
}

std::optional<Operand> reduce_window_node(Graph& graph,
                                          const Instruction& reduce, Node node,
                                          Operand& operand) {
  const auto& window = reduce.get<Window>("window");
  const size_t rank = operand.view.dims.size();
  const auto stays = [](const WindowDimension& w) {
    return w == WindowDimension{};
  };
  if (rank == 0 || !stays(window.dims.back())) return std::nullopt;
  graph.make_contiguous(operand);
  for (size_t d = 0; d + 1 < rank; ++d) {
    const WindowDimension& w = window.dims[d];
    if (w.reversal) return std::nullopt;
    node.windows.push_back({operand.view.dims[d], w.size, reduce.shape.dims[d],
                            w.stride, w.low, w.window_dilation, w.base_dilation,
                            operand.view.strides[d]});
  }
  node.kind = NodeKind::kFoldWindows;
  node.operands = {operand};
  return graph.add_node(std::move(node), reduce.shape);
}

}  // namespace

std::optional<Operand> fold_node(Graph& graph, const Instruction& instruction,
                                 std::span<Operand* const> operands) {
  const std::string_view name = instruction.op->name;
  if ((name != "reduce" && name != "reduce-window") || operands.size() != 2 ||
      instruction.shape.element_type != ElementType::kF32) {
    return std::nullopt;
  }
  for (const Operand* operand : operands) {
    if (graph.values[operand->value].shape.element_type != ElementType::kF32) {
      return std::nullopt;
    }
  }
  const auto fold = fold_of(*instruction.get<Computation*>("to_apply"));
  if (!fold) return std::nullopt;
  Node node;
  node.instruction = &instruction;
  node.fold = *fold;
  const auto make = name == "reduce" ? reduce_node : reduce_window_node;
  std::optional<Operand> result =
      make(graph, instruction, std::move(node), *operands[0]);
  if (result) {
    const auto at = static_cast<size_t>(graph.values[result->value].node);
    graph.nodes[at].operands.push_back(*operands[1]);
  }
  return result;
}

}  // namespace hlo::cpu
