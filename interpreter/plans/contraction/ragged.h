#pragma once

#include <cstdint>
#include <map>

#include "interpreter/plans/contraction/contraction.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"

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

/// Which dimension of a ragged-dot its lhs_ragged_dims names: one of lhs.
RaggedDimension ragged_dimension(const Instruction& dot,
                                 const DotDimensions& dims);

/// A ragged-dot whose group sizes are known (spec/ops/ragged_dot.md).
struct RaggedDot {
  /// The rows of one group of the contraction that have products, and the
  /// terms of their sums.
  struct Part {
    Ints rows;
    Ints terms;
  };

  /// All products; those that no group wants have no factors (positions -1).
  Contraction contraction;
  std::map<int64_t, Part> parts;  // by group of the contraction
};

/// The parts of a dot whose result has elements.
RaggedDot ragged_dot(const Instruction& dot, const Literal& group_sizes);

/// The result: each part is a contraction of its own, the rest is zero.
Literal apply(const RaggedDot& ragged, const Instruction& dot,
              Operands operands, const Evaluator& evaluator);

}  // namespace hlo
