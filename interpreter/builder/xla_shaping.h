#pragma once

#include "interpreter/builder/builder.h"

// Operations that move elements. Errors: the rules of the operation's page.

namespace hlo::builder {

/// The array repeated along new dimensions before its own.
XlaOp Broadcast(XlaOp operand, const Ints& broadcast_sizes);
/// Dimension i goes to dimension broadcast_dimensions[i] of the result, whose
/// size it has, or size 1: then it is repeated. The result is repeated along
/// all others.
XlaOp BroadcastInDim(XlaOp operand, const Ints& out_dim_size,
                     const Ints& broadcast_dimensions);
XlaOp Reshape(XlaOp operand, const Ints& new_sizes);
/// First the dimensions are put in this order, the slowest first.
XlaOp Reshape(XlaOp operand, const Ints& dimensions, const Ints& new_sizes);
/// Consecutive dimensions, in order, become one. Error "builder.C6" for others.
XlaOp Collapse(XlaOp operand, const Ints& dimensions);
/// Dimension i of the result is dimension permutation[i] of the operand.
XlaOp Transpose(XlaOp operand, const Ints& permutation);
XlaOp Rev(XlaOp operand, const Ints& dimensions);
XlaOp Pad(XlaOp operand, XlaOp padding_value, const PaddingConfig& config);
/// Adds elements at both ends of one dimension.
XlaOp PadInDim(XlaOp operand, XlaOp padding_value, int64_t dimension,
               int64_t low, int64_t high);
/// Without strides each is 1. Error "builder.C5" where the lists differ in
/// length.
XlaOp Slice(XlaOp operand, const Ints& start_indices, const Ints& limit_indices,
            const Ints& strides = {});
XlaOp SliceInDim(XlaOp operand, int64_t start_index, int64_t limit_index,
                 int64_t stride, int64_t dimension);
/// One scalar for each dimension says where the slice starts.
XlaOp DynamicSlice(XlaOp operand, const XlaOps& start_indices,
                   const Ints& size_indices);
XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update,
                         const XlaOps& start_indices);
// The starts are a vector that has one for each dimension.
XlaOp DynamicSlice(XlaOp operand, XlaOp start_indices,
                   const Ints& size_indices);
XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update, XlaOp start_indices);
XlaOp ConcatInDim(XlaBuilder* builder, const XlaOps& operands,
                  int64_t dimension);
XlaOp GetDimensionSize(XlaOp operand, int64_t dimension);
XlaOp SetDimensionSize(XlaOp operand, XlaOp size, int64_t dimension);
/// The dimension has its bound for size again.
XlaOp RemoveDynamicDimension(XlaOp operand, int64_t dimension);

struct GatherDimensionNumbers {
  Ints offset_dims;
  Ints collapsed_slice_dims;
  Ints start_index_map;
  int64_t index_vector_dim = 0;
  Ints operand_batching_dims = {};
  Ints start_indices_batching_dims = {};
};

XlaOp Gather(XlaOp operand, XlaOp start_indices,
             const GatherDimensionNumbers& dimension_numbers,
             const Ints& slice_sizes, bool indices_are_sorted = false);

}  // namespace hlo::builder
