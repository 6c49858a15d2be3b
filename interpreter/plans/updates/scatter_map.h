#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/plans/updates/updates.h"
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

/// Which element of the updates goes to which element of the operand: window
/// after window. A window that does not lie in the operand as a whole is left
/// out.
std::vector<Update> scatter_updates(const ScatterDimensions& dims,
                                    const Shape& operand,
                                    const Literal& indices,
                                    const Shape& updates);

}  // namespace hlo
