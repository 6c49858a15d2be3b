#pragma once

#include "interpreter/builder/builder.h"
#include "interpreter/builder/xla_padding.h"

// Operations that apply a computation to elements. Errors: the rules of the
// operation's page.

namespace hlo::builder {

/// Folds the dimensions of the operand; the init value goes first.
XlaOp Reduce(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
             const Ints& dimensions_to_reduce);
/// Folds several arrays at once to a tuple.
XlaOp Reduce(XlaBuilder* builder, const XlaOps& operands,
             const XlaOps& init_values, const XlaComputation& computation,
             const Ints& dimensions_to_reduce);
/// Folds all dimensions.
XlaOp ReduceAll(XlaOp operand, XlaOp init_value,
                const XlaComputation& computation);

// Folds the elements in each place of a window. Without strides each is 1.
// Error "builder.C5" where a list has not one entry for each dimension.
XlaOp ReduceWindow(XlaOp operand, XlaOp init_value,
                   const XlaComputation& computation,
                   const Ints& window_dimensions, const Ints& window_strides,
                   Padding padding);
XlaOp ReduceWindow(XlaBuilder* builder, const XlaOps& operands,
                   const XlaOps& init_values, const XlaComputation& computation,
                   const Ints& window_dimensions, const Ints& window_strides,
                   Padding padding);
XlaOp ReduceWindowWithGeneralPadding(XlaOp operand, XlaOp init_value,
                                     const XlaComputation& computation,
                                     const Ints& window_dimensions,
                                     const WindowMoves& window);
XlaOp ReduceWindowWithGeneralPadding(XlaBuilder* builder,
                                     const XlaOps& operands,
                                     const XlaOps& init_values,
                                     const XlaComputation& computation,
                                     const Ints& window_dimensions,
                                     const WindowMoves& window);

/// `select` chooses an element in each place of the window, and `scatter` adds
/// the element of `source` for that place there, onto the init value.
XlaOp SelectAndScatter(XlaOp operand, const XlaComputation& select,
                       const Ints& window_dimensions,
                       const Ints& window_strides, Padding padding,
                       XlaOp source, XlaOp init_value,
                       const XlaComputation& scatter);
XlaOp SelectAndScatterWithGeneralPadding(XlaOp operand,
                                         const XlaComputation& select,
                                         const Ints& window_dimensions,
                                         const WindowMoves& window,
                                         XlaOp source, XlaOp init_value,
                                         const XlaComputation& scatter);

/// Sorts the arrays together along the dimension, -1 for the last; of several
/// the result is a tuple.
XlaOp Sort(const XlaOps& operands, const XlaComputation& comparator,
           int64_t dimension = -1, bool is_stable = false);
/// The k largest or smallest of the last dimension, and where they stood.
XlaOp TopK(XlaOp operand, int64_t k, bool largest = true);
/// The computation of each element; `dimensions` are all dimensions.
XlaOp Map(XlaBuilder* builder, const XlaOps& operands,
          const XlaComputation& computation, const Ints& dimensions);

struct ScatterDimensionNumbers {
  Ints update_window_dims;
  Ints inserted_window_dims;
  Ints scatter_dims_to_operand_dims;
  int64_t index_vector_dim = 0;
  Ints input_batching_dims = {};
  Ints scatter_indices_batching_dims = {};
};

/// What is known of the indices.
struct ScatterIndices {
  bool are_sorted = false;
  bool are_unique = false;
};

/// Combines slices of the operand with updates; indices outside are skipped.
XlaOp Scatter(XlaOp operand, XlaOp scatter_indices, XlaOp updates,
              const XlaComputation& update_computation,
              const ScatterDimensionNumbers& dimension_numbers,
              const ScatterIndices& known = {});
XlaOp Scatter(XlaBuilder* builder, const XlaOps& operands,
              XlaOp scatter_indices, const XlaOps& updates,
              const XlaComputation& update_computation,
              const ScatterDimensionNumbers& dimension_numbers,
              const ScatterIndices& known = {});

/// The inputs are walked along the dimension, one slice after the other; the
/// computation takes slices and carries and returns outputs and carries.
XlaOp Scan(XlaBuilder* builder, const XlaOps& inputs, const XlaOps& inits,
           const XlaComputation& computation, int64_t dimension,
           bool is_reverse = false);

// Computations on two scalars of the type, named after what they do.
XlaComputation CreateScalarAddComputation(ElementType type);
XlaComputation CreateScalarMultiplyComputation(ElementType type);
XlaComputation CreateScalarMaxComputation(ElementType type);
XlaComputation CreateScalarMinComputation(ElementType type);
XlaComputation CreateScalarAndComputation(ElementType type);
XlaComputation CreateScalarOrComputation(ElementType type);
/// Compares the first two of 2 * types.size() scalars, floats in the total
/// order.
XlaComputation CreateScalarLtComputation(const std::vector<ElementType>& types);
XlaComputation CreateScalarGtComputation(const std::vector<ElementType>& types);

}  // namespace hlo::builder
