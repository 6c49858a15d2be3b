#include "backends/cpu/graph/contraction_nodes.h"

#include <algorithm>

#include "backends/cpu/arrays/contraction_form.h"
#include "backends/cpu/graph/lane_nodes.h"
#include "backends/cpu/routines/regions/lane_code.h"
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

std::optional<Operand> dot_node(Graph& graph, const Instruction& dot,
                                std::span<Operand* const> operands) {
  if (dot.find("sparsity") != nullptr) return std::nullopt;
  Node node;
  node.kind = NodeKind::kProduct;
  for (const bool left : {true, false}) {
    const Operand& operand = *operands[left ? 0 : 1];
    const DotDimensions of(dot, left ? 0 : 1);
    Ints order = of.batch;
    append(order, left ? of.free : of.contracted);
    append(order, left ? of.contracted : of.free);
    const int64_t k = size_over(operand.view, of.contracted);
    const int64_t n = size_over(operand.view, of.free);
    node.operands.push_back(arranged(
        graph, operand, order,
        {size_over(operand.view, of.batch), left ? n : k, left ? k : n}));
  }
  node.instruction = &dot;
  return rounded(graph, graph.add_node(std::move(node), in_f32(dot.shape)),
                 dot.shape.element_type);
}

std::optional<Operand> convolution_node(Graph& graph,
                                        const Instruction& convolution,
                                        std::span<Operand* const> operands) {
  if (!is_plain_convolution(convolution)) return std::nullopt;
  const auto& labels = convolution.get<DimLabels>("dim_labels");
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
  result.view = result.view.permuted(inverse(places));
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
