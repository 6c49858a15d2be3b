#pragma once

#include <cstdint>

#include "interpreter/rules/op.h"

namespace hlo {

/// What falls into groups: a dimension of lhs that rhs does not have, one that
/// is summed over, or one that both sides and the result have.
enum class RaggedMode : uint8_t { kFree, kContracting, kBatch };

struct RaggedDimension {
  RaggedMode mode;
  int64_t dimension;
  /// The dimensions of lhs that may have group sizes of their own: its batch
  /// dimensions, and those that stand before the ragged one in its list.
  Ints outer;
};

/// The ragged dimension of a ragged-dot whose lhs_ragged_dims names one
/// dimension of lhs.
RaggedDimension ragged_dimension(const Instruction& dot);

}  // namespace hlo
