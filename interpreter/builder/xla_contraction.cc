#include "interpreter/builder/xla_contraction.h"

#include "interpreter/error.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo::builder {
namespace {

void append(Attributes& attributes, const PrecisionConfig& precision) {
  if (!precision.operand_precision.empty()) {
    attributes.emplace_back("operand_precision",
                            Words{precision.operand_precision});
  }
  if (!precision.algorithm.empty()) {
    attributes.emplace_back("algorithm", Word{precision.algorithm});
  }
}

void append(Attributes& attributes, const DotDimensionNumbers& numbers) {
  if (!numbers.lhs_batch_dimensions.empty() ||
      !numbers.rhs_batch_dimensions.empty()) {
    attributes.emplace_back("lhs_batch_dims", numbers.lhs_batch_dimensions);
    attributes.emplace_back("rhs_batch_dims", numbers.rhs_batch_dimensions);
  }
  attributes.emplace_back("lhs_contracting_dims",
                          numbers.lhs_contracting_dimensions);
  attributes.emplace_back("rhs_contracting_dims",
                          numbers.rhs_contracting_dimensions);
}

/// The result has that element type, if one is preferred.
XlaOp contract(const char* opcode, const XlaOps& operands,
               Attributes attributes, std::optional<ElementType> preferred) {
  XlaBuilder& builder = operands.front().builder();
  std::optional<Shape> shape;
  if (preferred) {
    shape = builder.infer(opcode, operands, attributes);
    shape->element_type = *preferred;
  }
  return builder.add(opcode, operands, std::move(attributes), shape);
}

Ints from_two(int64_t count) {
  Ints dims;
  for (int64_t d = 0; d < count; ++d) dims.push_back(d + 2);
  return dims;
}

void check_side(const ConvolutionSide& side, size_t spatial) {
  Ints dims = side.spatial;
  dims.insert(dims.end(), {side.batch_or_input, side.feature});
  require(side.spatial.size() == spatial, "builder.C5",
          {"there are ", Count{std::ssize(side.spatial), "spatial dimension"},
           " and ", spatial, " of the input"},
          "lists that go together must have one length");
  require(are_dimensions(dims, std::ssize(dims)), "builder.C7",
          {"the dimensions are numbered ", dims},
          "each dimension must be named once");
}

DimLabels labels(const ConvolutionDimensionNumbers& n) {
  DimLabels result = {
      .input = {.batch_or_input = n.input_batch_dimension,
                .feature = n.input_feature_dimension,
                .spatial = n.input_spatial_dimensions,
                .unused = {}},
      .kernel = {.batch_or_input = n.kernel_input_feature_dimension,
                 .feature = n.kernel_output_feature_dimension,
                 .spatial = n.kernel_spatial_dimensions,
                 .unused = {}},
      .output = {.batch_or_input = n.output_batch_dimension,
                 .feature = n.output_feature_dimension,
                 .spatial = n.output_spatial_dimensions,
                 .unused = {}}};
  // A text can name ten spatial dimensions.
  require(result.input.spatial.size() <= 10, "builder.C8",
          {"there are ",
           Count{std::ssize(result.input.spatial), "spatial dimension"}},
          "there can be at most 10");
  check_side(result.input, result.input.spatial.size());
  check_side(result.kernel, result.input.spatial.size());
  check_side(result.output, result.input.spatial.size());
  return result;
}

Ints sizes_of(const XlaOp& operand, const Ints& dimensions) {
  Ints sizes;
  append_sizes(sizes, operand.shape(), dimensions);
  return sizes;
}

void require_rank(const XlaOp& operand, size_t spatial) {
  require(
      operand.shape().is_array() && operand.shape().dims.size() == spatial + 2,
      "builder.C8",
      {"the operand is ", operand.shape(), " and there are ",
       Count{static_cast<int64_t>(spatial), "spatial dimension"}},
      "it must have these, a batch and a feature dimension");
}

ConvolutionDimensionNumbers default_numbers(const XlaOp& lhs) {
  require(lhs.shape().is_array() && lhs.shape().rank() >= 2, "builder.C8",
          {"the operand is ", lhs.shape()},
          "it must have a batch and a feature dimension");
  return CreateDefaultConvDimensionNumbers(lhs.shape().rank() - 2);
}

}  // namespace

XlaOp Dot(XlaOp lhs, XlaOp rhs, const PrecisionConfig& precision,
          std::optional<ElementType> preferred_element_type) {
  const auto fits = [](const XlaOp& operand) {
    const int64_t rank = operand.shape().rank();
    return operand.shape().is_array() && rank >= 1 && rank <= 2;
  };
  require(fits(lhs) && fits(rhs), "builder.C8",
          {"the operands are ", lhs.shape(), " and ", rhs.shape()},
          "they must be of rank 1 or 2");
  return DotGeneral(lhs, rhs,
                    {.lhs_contracting_dimensions = {lhs.shape().rank() - 1},
                     .rhs_contracting_dimensions = {0}},
                    precision, preferred_element_type);
}

XlaOp DotGeneral(XlaOp lhs, XlaOp rhs,
                 const DotDimensionNumbers& dimension_numbers,
                 const PrecisionConfig& precision,
                 std::optional<ElementType> preferred_element_type) {
  Attributes attributes;
  append(attributes, dimension_numbers);
  append(attributes, precision);
  return contract("dot", {lhs, rhs}, std::move(attributes),
                  preferred_element_type);
}

XlaOp RaggedDot(XlaOp lhs, XlaOp rhs, XlaOp group_sizes,
                const RaggedDotDimensionNumbers& dimension_numbers,
                const PrecisionConfig& precision,
                std::optional<ElementType> preferred_element_type) {
  Attributes attributes = {
      {"lhs_ragged_dims", dimension_numbers.lhs_ragged_dimensions}};
  if (!dimension_numbers.rhs_group_dimensions.empty()) {
    attributes.emplace_back("rhs_group_dims",
                            dimension_numbers.rhs_group_dimensions);
  }
  append(attributes, dimension_numbers.dot_dimension_numbers);
  append(attributes, precision);
  return contract("ragged-dot", {lhs, rhs, group_sizes}, std::move(attributes),
                  preferred_element_type);
}

XlaOp ScaledDot(XlaOp lhs, XlaOp rhs, XlaOp lhs_scale, XlaOp rhs_scale,
                const DotDimensionNumbers& dimension_numbers,
                const PrecisionConfig& precision,
                std::optional<ElementType> preferred_element_type) {
  Attributes attributes;
  append(attributes, dimension_numbers);
  append(attributes, precision);
  return contract("scaled-dot", {lhs, rhs, lhs_scale, rhs_scale},
                  std::move(attributes), preferred_element_type);
}

ConvolutionDimensionNumbers CreateDefaultConvDimensionNumbers(
    int64_t num_spatial_dims) {
  ConvolutionDimensionNumbers numbers;
  numbers.input_spatial_dimensions = from_two(num_spatial_dims);
  numbers.kernel_spatial_dimensions = from_two(num_spatial_dims);
  numbers.output_spatial_dimensions = from_two(num_spatial_dims);
  return numbers;
}

XlaOp Conv(XlaOp lhs, XlaOp rhs, const Ints& window_strides, Padding padding,
           const ConvolutionGroups& groups) {
  return ConvWithGeneralDimensions(lhs, rhs, window_strides, padding,
                                   default_numbers(lhs), groups);
}

XlaOp ConvWithGeneralPadding(XlaOp lhs, XlaOp rhs, const Ints& window_strides,
                             const PaddingPairs& padding,
                             const ConvolutionGroups& groups) {
  return ConvGeneral(lhs, rhs, window_strides, padding, default_numbers(lhs),
                     groups);
}

XlaOp ConvWithGeneralDimensions(
    XlaOp lhs, XlaOp rhs, const Ints& window_strides, Padding padding,
    const ConvolutionDimensionNumbers& dimension_numbers,
    const ConvolutionGroups& groups) {
  const DimLabels where = labels(dimension_numbers);
  require_rank(lhs, where.input.spatial.size());
  require_rank(rhs, where.input.spatial.size());
  const PaddingPairs pairs =
      MakePadding(sizes_of(lhs, where.input.spatial),
                  sizes_of(rhs, where.kernel.spatial), window_strides, padding);
  return ConvGeneral(lhs, rhs, window_strides, pairs, dimension_numbers,
                     groups);
}

XlaOp ConvGeneral(XlaOp lhs, XlaOp rhs, const Ints& window_strides,
                  const PaddingPairs& padding,
                  const ConvolutionDimensionNumbers& dimension_numbers,
                  const ConvolutionGroups& groups) {
  return ConvGeneralDilated(lhs, rhs,
                            {.strides = window_strides, .padding = padding},
                            dimension_numbers, groups);
}

XlaOp ConvGeneralDilated(XlaOp lhs, XlaOp rhs, const WindowMoves& window,
                         const ConvolutionDimensionNumbers& dimension_numbers,
                         const ConvolutionGroups& groups,
                         const PrecisionConfig& precision,
                         std::optional<ElementType> preferred_element_type) {
  const DimLabels where = labels(dimension_numbers);
  require_rank(lhs, where.input.spatial.size());
  require_rank(rhs, where.input.spatial.size());
  Attributes attributes = {{"dim_labels", where}};
  const Ints sizes = sizes_of(rhs, where.kernel.spatial);
  if (!sizes.empty()) {
    attributes.emplace_back("window", MakeWindow(sizes, window));
  }
  if (groups.feature_group_count != 1) {
    attributes.emplace_back("feature_group_count", groups.feature_group_count);
  }
  if (groups.batch_group_count != 1) {
    attributes.emplace_back("batch_group_count", groups.batch_group_count);
  }
  append(attributes, precision);
  return contract("convolution", {lhs, rhs}, std::move(attributes),
                  preferred_element_type);
}

}  // namespace hlo::builder
