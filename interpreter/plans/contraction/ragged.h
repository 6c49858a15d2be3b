#pragma once

#include <cstdint>
#include <map>

#include "interpreter/plans/contraction/contraction.h"
#include "interpreter/rules/op.h"

namespace hlo {

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
