#include "backends/cpu/graph/fold_nodes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "backends/cpu/graph/lane_nodes.h"
#include "backends/cpu/routines/fold_routines.h"
#include "backends/cpu/routines/regions/lane_code.h"
#include "backends/cpu/routines/window_routine.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

/// How a region of one operation on its two parameters of that type folds.
std::optional<Fold> fold_of(const Computation& region, ElementType type) {
  const Instruction& root = *region.root;
  const bool plain =
      region.parameters.size() == 2 && region.instructions.size() == 3 &&
      root.operands.size() == 2 && root.operands[0] != root.operands[1] &&
      root.shape == Shape::scalar(type);
  if (!plain) return std::nullopt;
  if (root.op->name == "add") return Fold::kAdd;
  if (root.op->name == "maximum") return Fold::kMaximum;
  if (root.op->name == "minimum") return Fold::kMinimum;
  return std::nullopt;
}

/// The sizes before, of and after the folded dimensions, where these lie beside
/// each other.
std::optional<Ints> middle(const std::vector<int64_t>& dims,
                           const Ints& folded) {
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

Shape in_lanes(Shape shape) {
  shape.element_type = ElementType::kF32;
  return shape;
}

Literal number(float x) {
  Literal literal(Shape::scalar(ElementType::kF32));
  std::memcpy(literal.mutable_bytes().data(), &x, sizeof x);
  return literal;
}

/// What changes no number that is combined with it.
Operand neutral(Graph& graph, Fold fold) {
  static const Literal negative_zero = number(-0.0F);
  static const Literal least = number(-INFINITY);
  static const Literal most = number(INFINITY);
  const size_t value = graph.add_value(negative_zero.shape());
  graph.values[value].literal = fold == Fold::kAdd       ? &negative_zero
                                : fold == Fold::kMaximum ? &least
                                                         : &most;
  return {value, View::dense({})};
}

/// The last of the folded dimensions, in order, that lie beside each other.
Ints last_beside(const Ints& folded) {
  auto first = folded.end() - 1;
  while (first != folded.begin() && *(first - 1) == *first - 1) --first;
  return {first, folded.end()};
}

/// Whether the last folded dimensions that lie beside each other are lines, or
/// have long ones behind them.
bool folds_in_steps(const std::vector<int64_t>& dims, const Ints& folded) {
  constexpr int64_t kLong = 16;
  const int64_t behind = (*middle(dims, last_beside(folded)))[2];
  return behind == 1 || behind >= kLong;
}

/// The array of f32 with some of the folded dimensions folded to one element
/// each, so that what is left of them lies beside each other.
Operand folded_some(Graph& graph, const Node& node, Operand from,
                    Ints& folded) {
  while (!middle(from.view.dims, folded)) {
    const Ints last = last_beside(folded);
    std::vector<int64_t> dims = from.view.dims;
    for (const int64_t d : last) dims[static_cast<size_t>(d)] = 1;
    folded.resize(folded.size() - last.size());
    Node some = node;
    const Ints sizes = *middle(from.view.dims, last);
    some.operands = {{from.value, *from.view.reshaped(sizes)},
                     neutral(graph, node.fold)};
    from =
        graph.add_node(std::move(some), Shape::array(ElementType::kF32, dims));
  }
  return from;
}

std::optional<Operand> reduce_node(Graph& graph, const Instruction& reduce,
                                   Node node, Operand& operand,
                                   const Operand& init) {
  node.kind = NodeKind::kFold;
  Ints folded = reduce.get<Ints>("dimensions");
  std::ranges::sort(folded);
  const std::vector<int64_t> dims = operand.view.dims;
  const bool is_apart = !middle(dims, folded);
  const bool in_steps = is_apart && folds_in_steps(dims, folded);
  Operand ordered;  // others read the operand in its own order
  if (is_apart && !in_steps) {
    ordered = operand;
    ordered.view = operand.view.permuted(folded_last(dims.size(), folded));
    graph.make_contiguous(ordered);
    std::iota(folded.begin(), folded.end(),
              std::ssize(dims) - std::ssize(folded));
  } else {
    graph.make_contiguous(operand);
    ordered = operand;
  }
  Operand wide = widened(graph, std::move(ordered));
  if (in_steps) wide = folded_some(graph, node, wide, folded);
  const Ints sizes = *middle(wide.view.dims, folded);
  node.operands = {{wide.value, *wide.view.reshaped(sizes)},
                   widened(graph, init)};
  return graph.add_node(std::move(node), in_lanes(reduce.shape));
}

std::optional<Operand> reduce_window_node(Graph& graph,
                                          const Instruction& reduce, Node node,
                                          Operand& operand,
                                          const Operand& init) {
  const auto& window = reduce.get<Window>("window");
  if (window.dims.empty() || window.dims.back() != WindowDimension{} ||
      scan_routine(reduce)) {
    return std::nullopt;
  }
  auto lines = window_lines(window, reduce.operand_shape(0), reduce.shape);
  if (!lines) return std::nullopt;
  graph.make_contiguous(operand);
  const Operand wide = widened(graph, operand);
  lines->pop_back();
  node.windows = *std::move(lines);
  node.kind = NodeKind::kFoldWindows;
  node.operands = {wide, widened(graph, init)};
  return graph.add_node(std::move(node), in_lanes(reduce.shape));
}

}  // namespace

std::optional<Operand> fold_node(Graph& graph, const Instruction& instruction,
                                 std::span<Operand* const> operands) {
  const std::string_view name = instruction.op->name;
  const ElementType type = instruction.shape.element_type;
  if ((name != "reduce" && name != "reduce-window") || operands.size() != 2 ||
      lane_type(type) != ElementType::kF32) {
    return std::nullopt;
  }
  for (const Operand* operand : operands) {
    if (graph.values[operand->value].shape.element_type != type) {
      return std::nullopt;
    }
  }
  const auto fold = fold_of(*instruction.get<Computation*>("to_apply"), type);
  if (!fold) return std::nullopt;
  Node node;
  node.instruction = &instruction;
  node.fold = *fold;
  const auto make = name == "reduce" ? reduce_node : reduce_window_node;
  const std::optional<Operand> result =
      make(graph, instruction, std::move(node), *operands[0], *operands[1]);
  if (!result) return std::nullopt;
  return rounded(graph, *result, type);
}

}  // namespace hlo::cpu
