#pragma once

#include <optional>
#include <string>

#include "interpreter/builder/builder.h"
#include "interpreter/builder/xla_padding.h"

// Sums of products. Errors: the rules of spec/ops/dot.md, convolution.md, ...

namespace hlo::builder {

/// What a backend may do to be fast; empty: the default.
struct PrecisionConfig {
  std::vector<std::string> operand_precision = {};  // default, high, highest
  std::string algorithm = {};
};

struct DotDimensionNumbers {
  Ints lhs_contracting_dimensions = {};
  Ints rhs_contracting_dimensions = {};
  Ints lhs_batch_dimensions = {};
  Ints rhs_batch_dimensions = {};

  void add_lhs_contracting_dimensions(int64_t d) {
    lhs_contracting_dimensions.push_back(d);
  }

  void add_rhs_contracting_dimensions(int64_t d) {
    rhs_contracting_dimensions.push_back(d);
  }

  void add_lhs_batch_dimensions(int64_t d) {
    lhs_batch_dimensions.push_back(d);
  }

  void add_rhs_batch_dimensions(int64_t d) {
    rhs_batch_dimensions.push_back(d);
  }
};

/// The product of vectors or matrices: the last dimension of lhs with the first
/// of rhs. Error "builder.C8" for other ranks.
XlaOp Dot(XlaOp lhs, XlaOp rhs, const PrecisionConfig& precision = {},
          std::optional<ElementType> preferred_element_type = {});
/// The result has the batch dimensions, the others of lhs, the others of rhs.
XlaOp DotGeneral(XlaOp lhs, XlaOp rhs,
                 const DotDimensionNumbers& dimension_numbers,
                 const PrecisionConfig& precision = {},
                 std::optional<ElementType> preferred_element_type = {});

struct RaggedDotDimensionNumbers {
  DotDimensionNumbers dot_dimension_numbers = {};
  Ints lhs_ragged_dimensions = {};
  Ints rhs_group_dimensions = {};
};

XlaOp RaggedDot(XlaOp lhs, XlaOp rhs, XlaOp group_sizes,
                const RaggedDotDimensionNumbers& dimension_numbers,
                const PrecisionConfig& precision = {},
                std::optional<ElementType> preferred_element_type = {});
XlaOp ScaledDot(XlaOp lhs, XlaOp rhs, XlaOp lhs_scale, XlaOp rhs_scale,
                const DotDimensionNumbers& dimension_numbers,
                const PrecisionConfig& precision = {},
                std::optional<ElementType> preferred_element_type = {});

/// Which dimensions of a convolution are what.
struct ConvolutionDimensionNumbers {
  int64_t input_batch_dimension = 0;
  int64_t input_feature_dimension = 1;
  Ints input_spatial_dimensions;
  int64_t kernel_output_feature_dimension = 0;
  int64_t kernel_input_feature_dimension = 1;
  Ints kernel_spatial_dimensions;
  int64_t output_batch_dimension = 0;
  int64_t output_feature_dimension = 1;
  Ints output_spatial_dimensions;
};

/// Batch (of the kernel: output feature), feature, then the spatial dimensions.
ConvolutionDimensionNumbers CreateDefaultConvDimensionNumbers(
    int64_t num_spatial_dims = 2);

struct ConvolutionGroups {
  int64_t feature_group_count = 1;
  int64_t batch_group_count = 1;
};

// The dimensions stand in the default order unless numbers say otherwise; the
// window is as large as the kernel. Error "builder.C5" where a list has not one
// entry for each spatial dimension, "builder.C8" where an operand has not two
// dimensions more than these, "builder.C7" where numbers are no dimensions.
XlaOp Conv(XlaOp lhs, XlaOp rhs, const Ints& window_strides, Padding padding,
           const ConvolutionGroups& groups = {});
XlaOp ConvWithGeneralPadding(XlaOp lhs, XlaOp rhs, const Ints& window_strides,
                             const PaddingPairs& padding,
                             const ConvolutionGroups& groups = {});
XlaOp ConvWithGeneralDimensions(
    XlaOp lhs, XlaOp rhs, const Ints& window_strides, Padding padding,
    const ConvolutionDimensionNumbers& dimension_numbers,
    const ConvolutionGroups& groups = {});
XlaOp ConvGeneral(XlaOp lhs, XlaOp rhs, const Ints& window_strides,
                  const PaddingPairs& padding,
                  const ConvolutionDimensionNumbers& dimension_numbers,
                  const ConvolutionGroups& groups = {});
/// `window` also says how lhs (base) and rhs are dilated, and reversed.
XlaOp ConvGeneralDilated(
    XlaOp lhs, XlaOp rhs, const WindowMoves& window,
    const ConvolutionDimensionNumbers& dimension_numbers,
    const ConvolutionGroups& groups = {}, const PrecisionConfig& precision = {},
    std::optional<ElementType> preferred_element_type = {});

}  // namespace hlo::builder
