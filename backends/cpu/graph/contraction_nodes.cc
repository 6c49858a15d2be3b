#include "backends/cpu/graph/contraction_nodes.h"

#include <algorithm>

#include "backends/cpu/graph/lane_nodes.h"
#include "backends/cpu/routines/lane_code.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

/// Whether sums of f32 are what is asked for, or more.
bool are_f32(const Graph& graph, const Instruction& instruction,
             std::span<Operand* const> operands) {
  const auto fits = [](ElementType type) {
    return lane_type(type) == ElementType::kF32;
  };
  return operands.size() == 2 && fits(instruction.shape.element_type) &&
         std::ranges::all_of(operands, [&](const Operand* operand) {
           return fits(graph.values[operand->value].shape.element_type);
         });
}

Shape in_f32(Shape shape) {
  shape.element_type = ElementType::kF32;
  return shape;
}

/// The operand with its dimensions in another order and then as others; copied
/// where no strides say that.
Operand arranged(Graph& graph, const Operand& operand, const Ints& order,
                 const Ints& dims) {
  Operand result{operand.value, operand.view.permuted(order)};
  std::optional<View> view = result.view.reshaped(dims);
  if (!view) {
    graph.make_contiguous(result);
    view = result.view.reshaped(dims);
  }
  result.view = *view;
  return result;
}

int64_t size_over(const View& view, const Ints& dimensions) {
  int64_t product = 1;
  for (const int64_t d : dimensions) {
    product *= view.dims[static_cast<size_t>(d)];
  }
  return product;
}

void append(Ints& list, const Ints& more) {
  list.insert(list.end(), more.begin(), more.end());
}

Ints others(const View& view, const Ints& some, const Ints& more) {
  Ints rest;
  for (int64_t d = 0; d < static_cast<int64_t>(view.dims.size()); ++d) {
    if (std::ranges::count(some, d) + std::ranges::count(more, d) == 0) {
      rest.push_back(d);
    }
  }
  return rest;
}

std::optional<Operand> dot_node(Graph& graph, const Instruction& dot,
                                std::span<Operand* const> operands) {
  if (dot.find("sparsity") != nullptr) return std::nullopt;
  Node node;
  node.kind = NodeKind::kProduct;
  for (const bool left : {true, false}) {
    const Operand& operand = *operands[left ? 0 : 1];
    const std::string side = left ? "lhs" : "rhs";
    const Ints batch = dot.get_or<Ints>(side + "_batch_dims", {});
    const Ints depth = dot.get_or<Ints>(side + "_contracting_dims", {});
    const Ints free = others(operand.view, batch, depth);
    Ints order = batch;
    append(order, left ? free : depth);
    append(order, left ? depth : free);
    const int64_t k = size_over(operand.view, depth);
    const int64_t n = size_over(operand.view, free);
    node.operands.push_back(
        arranged(graph, operand, order,
                 {size_over(operand.view, batch), left ? n : k, left ? k : n}));
  }
  node.instruction = &dot;
  return rounded(graph, graph.add_node(std::move(node), in_f32(dot.shape)),
                 dot.shape.element_type);
}

/// Batch, spatial dimensions, features.
Ints features_last(const ConvolutionSide& side) {
  Ints order = {side.batch_or_input};
  append(order, side.spatial);
  order.push_back(side.feature);
  return order;
}

bool is_plain(const Instruction& convolution, const DimLabels& labels) {
  const auto window = convolution.get_or<Window>("window", {});
  const auto reverses = [](const WindowDimension& w) { return w.reversal; };
  return convolution.find("sparsity_config") == nullptr &&
         convolution.get_or<int64_t>("batch_group_count", 1) == 1 &&
         window.dims.size() == labels.input.spatial.size() &&
         labels.input.unused.empty() && labels.kernel.unused.empty() &&
         labels.output.unused.empty() &&
         std::ranges::none_of(window.dims, reverses);
}

std::vector<WindowLine> window_lines(const Window& window, const View& input,
                                     const View& output) {
  std::vector<WindowLine> lines;
  for (size_t s = 0; s < window.dims.size(); ++s) {
    const WindowDimension& w = window.dims[s];
    lines.push_back({input.dims[s + 1], w.size, output.dims[s + 1], w.stride,
                     w.low, w.window_dilation, w.base_dilation,
                     input.strides[s + 1]});
  }
  return lines;
}

std::optional<Operand> convolution_node(Graph& graph,
                                        const Instruction& convolution,
                                        std::span<Operand* const> operands) {
  const auto& labels = convolution.get<DimLabels>("dim_labels");
  if (!is_plain(convolution, labels)) return std::nullopt;
  const Operand image = widened(graph, *operands[0]);
  const Operand kernel = widened(graph, *operands[1]);
  Operand input{image.value, image.view.permuted(features_last(labels.input))};
  // The kernel takes places before the first element for such outside.
  const bool goes_back =
      std::ranges::any_of(input.view.strides, [](int64_t s) { return s < 0; });
  const bool has_gaps =
      input.view.dims.back() > 1 && input.view.strides.back() != 1;
  if (goes_back || has_gaps || input.view.inner_stride() != 1) {
    graph.make_contiguous(input);
  }
  Ints order = labels.kernel.spatial;
  append(order, {labels.kernel.batch_or_input, labels.kernel.feature});
  const View& weights = kernel.view;
  const int64_t outputs =
      weights.dims[static_cast<size_t>(labels.kernel.feature)];
  Node node;
  node.kind = NodeKind::kConvolution;
  node.instruction = &convolution;
  node.operands = {input, arranged(graph, kernel, order,
                                   {weights.count() / outputs, outputs})};
  const Ints places = features_last(labels.output);
  Shape shape = in_f32(convolution.shape);
  const View dense = View::dense(shape.dims).permuted(places);
  shape.dims = dense.dims;
  node.windows =
      window_lines(convolution.get_or<Window>("window", {}), input.view, dense);
  Operand result = rounded(graph, graph.add_node(std::move(node), shape),
                           convolution.shape.element_type);
  Ints back(places.size());
  for (size_t d = 0; d < places.size(); ++d) {
    back[static_cast<size_t>(places[d])] = static_cast<int64_t>(d);
  }
  result.view = result.view.permuted(back);
  return result;
}

}  // namespace

std::optional<Operand> contraction_node(Graph& graph,
                                        const Instruction& instruction,
                                        std::span<Operand* const> operands) {
  if (!are_f32(graph, instruction, operands)) return std::nullopt;
  if (instruction.op->name == "dot") {
    return dot_node(graph, instruction, operands);
  }
  if (instruction.op->name == "convolution") {
    return convolution_node(graph, instruction, operands);
  }
  return std::nullopt;
}

}  // namespace hlo::cpu
