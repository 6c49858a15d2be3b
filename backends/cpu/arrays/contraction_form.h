#pragma once

#include "interpreter/model/attribute.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// The dimensions of one operand of a dot, each kind in the order that the
/// result and the sums have: batches and terms as the attributes list them, the
/// free ones as they come.
struct DotDimensions {
  Ints batch;
  Ints contracted;
  Ints free;

  /// Takes operand 0 or 1.
  DotDimensions(const Instruction& dot, size_t operand);
};

/// Batch or input features, spatial dimensions, features.
Ints features_last(const ConvolutionSide& side);

/// Whether it is a convolution without sparse operands, groups of batches,
/// unused dimensions and reversed windows.
bool is_plain_convolution(const Instruction& convolution);

/// What takes dimensions in an order back to where they were.
Ints inverse(const Ints& order);

}  // namespace hlo::cpu
