#include "interpreter/builder/xla_shaping.h"

#include <algorithm>
#include <limits>

#include "interpreter/builder/xla_constants.h"
#include "interpreter/error.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo::builder {
namespace {

Shape with_dims(const XlaOp& operand, Ints dims) {
  return Shape::array(operand.shape().element_type, std::move(dims));
}

/// The shape that is broadcast has dynamic dimensions where the operand has.
XlaOp broadcast_to(XlaOp operand, const Ints& sizes, const Ints& dimensions) {
  Shape shape = with_dims(operand, sizes);
  for (size_t k = 0; k < dimensions.size(); ++k) {
    const auto from = static_cast<int64_t>(k);
    if (from < operand.shape().rank() && operand.shape().is_dynamic(from) &&
        dimensions[k] >= 0 && dimensions[k] < shape.rank()) {
      shape.set_dynamic(dimensions[k], true);
    }
  }
  return operand.builder().add("broadcast", {operand},
                               {{"dimensions", dimensions}}, shape);
}

bool are_consecutive(const Ints& dimensions, int64_t rank) {
  for (size_t k = 0; k < dimensions.size(); ++k) {
    if (dimensions[k] != dimensions[0] + static_cast<int64_t>(k)) return false;
  }
  return are_dimensions(dimensions, rank);
}

/// The elements of a vector, or a scalar itself.
XlaOps scalars(XlaOp starts) {
  if (starts.shape().rank() != 1) return {starts};
  XlaOps result;
  for (int64_t i = 0; i < starts.shape().dims[0]; ++i) {
    result.push_back(Reshape(Slice(starts, {i}, {i + 1}), {}));
  }
  return result;
}

XlaOps followed_by(XlaOps operands, const XlaOps& more) {
  operands.insert(operands.end(), more.begin(), more.end());
  return operands;
}

}  // namespace

XlaOp Broadcast(XlaOp operand, const Ints& broadcast_sizes) {
  Ints sizes = broadcast_sizes;
  Ints dimensions;
  for (const int64_t size : operand.shape().dims) {
    dimensions.push_back(std::ssize(sizes));
    sizes.push_back(size);
  }
  return broadcast_to(operand, sizes, dimensions);
}

XlaOp BroadcastInDim(XlaOp operand, const Ints& out_dim_size,
                     const Ints& broadcast_dimensions) {
  const Ints& dims = operand.shape().dims;
  const auto out_rank = std::ssize(out_dim_size);
  if (broadcast_dimensions.size() != dims.size() ||
      !are_dimensions(broadcast_dimensions, out_rank)) {
    return broadcast_to(operand, out_dim_size, broadcast_dimensions);
  }
  Ints kept;
  Ints dimensions;
  for (size_t k = 0; k < dims.size(); ++k) {
    const int64_t d = broadcast_dimensions[k];
    const bool grows =
        dims[k] == 1 && out_dim_size[static_cast<size_t>(d)] != 1;
    if (grows) continue;
    kept.push_back(dims[k]);
    dimensions.push_back(d);
  }
  if (kept.size() != dims.size()) operand = Reshape(operand, kept);
  return broadcast_to(operand, out_dim_size, dimensions);
}

XlaOp Reshape(XlaOp operand, const Ints& new_sizes) {
  return operand.builder().add("reshape", {operand}, {},
                               with_dims(operand, new_sizes));
}

XlaOp Reshape(XlaOp operand, const Ints& dimensions, const Ints& new_sizes) {
  const bool in_order = std::ranges::is_sorted(dimensions) &&
                        are_dimensions(dimensions, operand.shape().rank()) &&
                        std::ssize(dimensions) == operand.shape().rank();
  const XlaOp ordered = in_order ? operand : Transpose(operand, dimensions);
  return Reshape(ordered, new_sizes);
}

XlaOp Collapse(XlaOp operand, const Ints& dimensions) {
  const Ints& dims = operand.shape().dims;
  require(are_consecutive(dimensions, std::ssize(dims)), "builder.C6",
          {"the dimensions are ", dimensions, " of ", operand.shape()},
          "those that are collapsed must be consecutive and in order");
  if (dimensions.size() <= 1) return operand;
  const auto first = dims.begin() + dimensions.front();
  const auto last = first + std::ssize(dimensions);
  Ints sizes(dims.begin(), first);
  sizes.push_back(
      Shape::array(ElementType::kPred, {first, last}).element_count());
  sizes.insert(sizes.end(), last, dims.end());
  return Reshape(operand, sizes);
}

XlaOp Transpose(XlaOp operand, const Ints& permutation) {
  return operand.builder().add("transpose", {operand},
                               {{"dimensions", permutation}});
}

XlaOp Rev(XlaOp operand, const Ints& dimensions) {
  return operand.builder().add("reverse", {operand},
                               {{"dimensions", dimensions}});
}

XlaOp Pad(XlaOp operand, XlaOp padding_value, const PaddingConfig& config) {
  return operand.builder().add("pad", {operand, padding_value},
                               {{"padding", config}});
}

XlaOp PadInDim(XlaOp operand, XlaOp padding_value, int64_t dimension,
               int64_t low, int64_t high) {
  const int64_t rank = operand.shape().rank();
  require(dimension >= 0 && dimension < rank, "builder.C7",
          {"dimension ", dimension, " is named of ", operand.shape()},
          "it must be a dimension of the operand");
  PaddingConfig config;
  config.dims.resize(static_cast<size_t>(rank));
  config.dims[static_cast<size_t>(dimension)] = {.low = low, .high = high};
  return Pad(operand, padding_value, config);
}

XlaOp Slice(XlaOp operand, const Ints& start_indices, const Ints& limit_indices,
            const Ints& strides) {
  require(start_indices.size() == limit_indices.size() &&
              (strides.empty() || strides.size() == start_indices.size()),
          "builder.C5",
          {"there are ", start_indices.size(), " starts, ",
           limit_indices.size(), " limits and ", strides.size(), " strides"},
          "lists that go together must have one length");
  SliceConfig config;
  for (size_t d = 0; d < start_indices.size(); ++d) {
    config.dims.push_back({.start = start_indices[d],
                           .limit = limit_indices[d],
                           .stride = strides.empty() ? 1 : strides[d]});
  }
  return operand.builder().add("slice", {operand}, {{"slice", config}});
}

XlaOp SliceInDim(XlaOp operand, int64_t start_index, int64_t limit_index,
                 int64_t stride, int64_t dimension) {
  Ints limits = operand.shape().dims;
  require(dimension >= 0 && dimension < std::ssize(limits), "builder.C7",
          {"dimension ", dimension, " is named of ", operand.shape()},
          "it must be a dimension of the operand");
  Ints starts(limits.size(), 0);
  Ints strides(limits.size(), 1);
  const auto d = static_cast<size_t>(dimension);
  starts[d] = start_index;
  limits[d] = limit_index;
  strides[d] = stride;
  return Slice(operand, starts, limits, strides);
}

XlaOp DynamicSlice(XlaOp operand, const XlaOps& start_indices,
                   const Ints& size_indices) {
  return operand.builder().add("dynamic-slice",
                               followed_by({operand}, start_indices),
                               {{"dynamic_slice_sizes", size_indices}});
}

XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update,
                         const XlaOps& start_indices) {
  return operand.builder().add("dynamic-update-slice",
                               followed_by({operand, update}, start_indices));
}

XlaOp DynamicSlice(XlaOp operand, XlaOp start_indices,
                   const Ints& size_indices) {
  return DynamicSlice(operand, scalars(start_indices), size_indices);
}

XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update, XlaOp start_indices) {
  return DynamicUpdateSlice(operand, update, scalars(start_indices));
}

XlaOp ConcatInDim(XlaBuilder* builder, const XlaOps& operands,
                  int64_t dimension) {
  return builder->add("concatenate", operands,
                      {{"dimensions", Ints{dimension}}});
}

XlaOp GetDimensionSize(XlaOp operand, int64_t dimension) {
  return operand.builder().add("get-dimension-size", {operand},
                               {{"dimensions", Ints{dimension}}});
}

XlaOp SetDimensionSize(XlaOp operand, XlaOp size, int64_t dimension) {
  return operand.builder().add("set-dimension-size", {operand, size},
                               {{"dimensions", Ints{dimension}}});
}

XlaOp RemoveDynamicDimension(XlaOp operand, int64_t dimension) {
  const Ints& dims = operand.shape().dims;
  require(dimension >= 0 && dimension < std::ssize(dims) &&
              dims[static_cast<size_t>(dimension)] <=
                  std::numeric_limits<int32_t>::max(),
          "builder.C7",
          {"dimension ", dimension, " is named of ", operand.shape()},
          "it must be a dimension of the operand, of a size that is an s32");
  const auto bound = static_cast<int32_t>(dims[static_cast<size_t>(dimension)]);
  return SetDimensionSize(operand, ConstantR0(&operand.builder(), bound),
                          dimension);
}

XlaOp Gather(XlaOp operand, XlaOp start_indices,
             const GatherDimensionNumbers& dimension_numbers,
             const Ints& slice_sizes, bool indices_are_sorted) {
  const GatherDimensionNumbers& numbers = dimension_numbers;
  Attributes attributes = {
      {"offset_dims", numbers.offset_dims},
      {"collapsed_slice_dims", numbers.collapsed_slice_dims},
      {"start_index_map", numbers.start_index_map},
      {"index_vector_dim", numbers.index_vector_dim},
      {"slice_sizes", slice_sizes}};
  if (!numbers.operand_batching_dims.empty()) {
    attributes.emplace_back("operand_batching_dims",
                            numbers.operand_batching_dims);
    attributes.emplace_back("start_indices_batching_dims",
                            numbers.start_indices_batching_dims);
  }
  if (indices_are_sorted) attributes.emplace_back("indices_are_sorted", true);
  return operand.builder().add("gather", {operand, start_indices},
                               std::move(attributes));
}

}  // namespace hlo::builder
