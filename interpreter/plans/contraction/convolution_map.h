#pragma once

#include <cstdint>

#include "interpreter/model/attribute.h"
#include "interpreter/model/shape.h"
#include "interpreter/plans/contraction/contraction.h"

namespace hlo {

/// How a kernel slides over an input (spec/ops/convolution.md).
struct ConvolutionConfig {
  DimLabels labels;
  Window window;
  int64_t feature_groups = 1;
  int64_t batch_groups = 1;
};

/// The sums of a verified convolution: a group is a feature or batch group,
/// its rows are the places of the window in its batches, its columns its
/// output features, and the depth runs over cells, then input features.
Contraction convolve(const Shape& lhs, const Shape& rhs, const Shape& result,
                     const ConvolutionConfig& config);

}  // namespace hlo
