#pragma once

#include <cstdint>

#include "interpreter/rules/op.h"

namespace hlo {

/// The dimension numbers of a scatter (spec/ops/scatter.md).
struct ScatterDimensions {
  Ints update_window;
  Ints inserted;
  Ints to_operand;
  Ints operand_batching;
  Ints indices_batching;
  int64_t index_vector_dim;

  explicit ScatterDimensions(const Instruction& scatter);

  /// The dimensions of the operand that a window extends along.
  Ints window_dims_of_operand(int64_t rank) const;
  /// The dimensions of the updates that number the windows, and those of the
  /// indices which these are.
  Ints scatter_dims_of_updates(int64_t rank) const;
  Ints scatter_dims_of_indices(int64_t rank) const;
};

}  // namespace hlo
