#include "interpreter/builder/xla_reduction.h"

#include "interpreter/builder/xla_constants.h"
#include "interpreter/builder/xla_elementwise.h"
#include "interpreter/error.h"

namespace hlo::builder {
namespace {

XlaOps joined(XlaOps first, const XlaOps& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Ints all_dimensions(const XlaOp& operand) {
  Ints dimensions;
  for (int64_t d = 0; d < operand.shape().rank(); ++d) dimensions.push_back(d);
  return dimensions;
}

/// Appends the window; an array without dimensions has none.
void append_window(Attributes& attributes, const Ints& sizes,
                   const WindowMoves& moves) {
  if (!sizes.empty())
    attributes.emplace_back("window", MakeWindow(sizes, moves));
}

XlaComputation scalar_computation(const char* opcode, ElementType type) {
  XlaBuilder builder(opcode);
  const XlaOp x = Parameter(&builder, 0, Shape::scalar(type), "x");
  const XlaOp y = Parameter(&builder, 1, Shape::scalar(type), "y");
  return builder.Build(builder.add(opcode, {x, y}));
}

XlaComputation comparator(const char* name, ComparisonDirection direction,
                          const std::vector<ElementType>& types) {
  XlaBuilder builder(name);
  XlaOps scalars;
  for (const ElementType type : types) {
    for (const char* side : {"lhs", "rhs"}) {
      scalars.push_back(
          Parameter(&builder, std::ssize(scalars), Shape::scalar(type), side));
    }
  }
  require(!scalars.empty(), "text.empty", {"there are no types"},
          "a computation must have instructions");
  return builder.Build(Compare(scalars[0], scalars[1], direction, {},
                               /*is_total_order=*/true));
}

}  // namespace

XlaOp Reduce(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
             const Ints& dimensions_to_reduce) {
  return Reduce(&operand.builder(), {operand}, {init_value}, computation,
                dimensions_to_reduce);
}

XlaOp Reduce(XlaBuilder* builder, const XlaOps& operands,
             const XlaOps& init_values, const XlaComputation& computation,
             const Ints& dimensions_to_reduce) {
  return builder->add("reduce", joined(operands, init_values),
                      {{"dimensions", dimensions_to_reduce},
                       {"to_apply", builder->embed(computation)}});
}

XlaOp ReduceAll(XlaOp operand, XlaOp init_value,
                const XlaComputation& computation) {
  return Reduce(operand, init_value, computation, all_dimensions(operand));
}

XlaOp ReduceWindow(XlaOp operand, XlaOp init_value,
                   const XlaComputation& computation,
                   const Ints& window_dimensions, const Ints& window_strides,
                   Padding padding) {
  return ReduceWindow(&operand.builder(), {operand}, {init_value}, computation,
                      window_dimensions, window_strides, padding);
}

XlaOp ReduceWindow(XlaBuilder* builder, const XlaOps& operands,
                   const XlaOps& init_values, const XlaComputation& computation,
                   const Ints& window_dimensions, const Ints& window_strides,
                   Padding padding) {
  const Ints sizes = operands.empty() ? Ints{} : operands[0].shape().dims;
  return ReduceWindowWithGeneralPadding(
      builder, operands, init_values, computation, window_dimensions,
      {.strides = window_strides,
       .padding =
           MakePadding(sizes, window_dimensions, window_strides, padding)});
}

XlaOp ReduceWindowWithGeneralPadding(XlaOp operand, XlaOp init_value,
                                     const XlaComputation& computation,
                                     const Ints& window_dimensions,
                                     const WindowMoves& window) {
  return ReduceWindowWithGeneralPadding(&operand.builder(), {operand},
                                        {init_value}, computation,
                                        window_dimensions, window);
}

XlaOp ReduceWindowWithGeneralPadding(XlaBuilder* builder,
                                     const XlaOps& operands,
                                     const XlaOps& init_values,
                                     const XlaComputation& computation,
                                     const Ints& window_dimensions,
                                     const WindowMoves& window) {
  Attributes attributes = {{"to_apply", builder->embed(computation)}};
  append_window(attributes, window_dimensions, window);
  return builder->add("reduce-window", joined(operands, init_values),
                      std::move(attributes));
}

XlaOp SelectAndScatter(XlaOp operand, const XlaComputation& select,
                       const Ints& window_dimensions,
                       const Ints& window_strides, Padding padding,
                       XlaOp source, XlaOp init_value,
                       const XlaComputation& scatter) {
  return SelectAndScatterWithGeneralPadding(
      operand, select, window_dimensions,
      {.strides = window_strides,
       .padding = MakePadding(operand.shape().dims, window_dimensions,
                              window_strides, padding)},
      source, init_value, scatter);
}

XlaOp SelectAndScatterWithGeneralPadding(XlaOp operand,
                                         const XlaComputation& select,
                                         const Ints& window_dimensions,
                                         const WindowMoves& window,
                                         XlaOp source, XlaOp init_value,
                                         const XlaComputation& scatter) {
  XlaBuilder& builder = operand.builder();
  Attributes attributes = {{"select", builder.embed(select)},
                           {"scatter", builder.embed(scatter)}};
  append_window(attributes, window_dimensions, window);
  return builder.add("select-and-scatter", {operand, source, init_value},
                     std::move(attributes));
}

XlaOp Sort(const XlaOps& operands, const XlaComputation& comparator,
           int64_t dimension, bool is_stable) {
  require(!operands.empty(), "text.operand-count", {"there are no operands"},
          "the operation needs one");
  XlaBuilder& builder = operands[0].builder();
  if (dimension == -1) dimension = operands[0].shape().rank() - 1;
  Attributes attributes = {{"dimensions", Ints{dimension}},
                           {"to_apply", builder.embed(comparator)}};
  if (is_stable) attributes.emplace_back("is_stable", true);
  return builder.add("sort", operands, std::move(attributes));
}

XlaOp TopK(XlaOp operand, int64_t k, bool largest) {
  return operand.builder().add("topk", {operand},
                               {{"k", k}, {"largest", largest}});
}

XlaOp Map(XlaBuilder* builder, const XlaOps& operands,
          const XlaComputation& computation, const Ints& dimensions) {
  return builder->add(
      "map", operands,
      {{"dimensions", dimensions}, {"to_apply", builder->embed(computation)}});
}

XlaOp Scatter(XlaOp operand, XlaOp scatter_indices, XlaOp updates,
              const XlaComputation& update_computation,
              const ScatterDimensionNumbers& dimension_numbers,
              const ScatterIndices& known) {
  return Scatter(&operand.builder(), {operand}, scatter_indices, {updates},
                 update_computation, dimension_numbers, known);
}

XlaOp Scatter(XlaBuilder* builder, const XlaOps& operands,
              XlaOp scatter_indices, const XlaOps& updates,
              const XlaComputation& update_computation,
              const ScatterDimensionNumbers& dimension_numbers,
              const ScatterIndices& known) {
  const ScatterDimensionNumbers& numbers = dimension_numbers;
  Attributes attributes = {
      {"update_window_dims", numbers.update_window_dims},
      {"inserted_window_dims", numbers.inserted_window_dims},
      {"scatter_dims_to_operand_dims", numbers.scatter_dims_to_operand_dims},
      {"index_vector_dim", numbers.index_vector_dim},
      {"to_apply", builder->embed(update_computation)}};
  if (!numbers.input_batching_dims.empty()) {
    attributes.emplace_back("input_batching_dims", numbers.input_batching_dims);
    attributes.emplace_back("scatter_indices_batching_dims",
                            numbers.scatter_indices_batching_dims);
  }
  if (known.are_sorted) attributes.emplace_back("indices_are_sorted", true);
  if (known.are_unique) attributes.emplace_back("unique_indices", true);
  return builder->add("scatter",
                      joined(joined(operands, {scatter_indices}), updates),
                      std::move(attributes));
}

XlaOp Scan(XlaBuilder* builder, const XlaOps& inputs, const XlaOps& inits,
           const XlaComputation& computation, int64_t dimension,
           bool is_reverse) {
  Attributes attributes = {{"dimensions", Ints{dimension}},
                           {"num_carries", std::ssize(inits)},
                           {"to_apply", builder->embed(computation)}};
  if (is_reverse) attributes.emplace_back("is_reverse", true);
  return builder->add("scan", joined(inputs, inits), std::move(attributes));
}

XlaComputation CreateScalarAddComputation(ElementType type) {
  return scalar_computation("add", type);
}

XlaComputation CreateScalarMultiplyComputation(ElementType type) {
  return scalar_computation("multiply", type);
}

XlaComputation CreateScalarMaxComputation(ElementType type) {
  return scalar_computation("maximum", type);
}

XlaComputation CreateScalarMinComputation(ElementType type) {
  return scalar_computation("minimum", type);
}

XlaComputation CreateScalarAndComputation(ElementType type) {
  return scalar_computation("and", type);
}

XlaComputation CreateScalarOrComputation(ElementType type) {
  return scalar_computation("or", type);
}

XlaComputation CreateScalarLtComputation(
    const std::vector<ElementType>& types) {
  return comparator("less", ComparisonDirection::kLt, types);
}

XlaComputation CreateScalarGtComputation(
    const std::vector<ElementType>& types) {
  return comparator("greater", ComparisonDirection::kGt, types);
}

}  // namespace hlo::builder
