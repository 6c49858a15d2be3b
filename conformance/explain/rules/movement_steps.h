#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// How the attributes and the values of index operands lead from an index of
/// the result to one of an operand, step by step, in words.
struct Steps {
  std::vector<std::string> lines;
  /// The index that they lead to, where they end at an element of an operand
  /// and not at a padding value.
  std::optional<Index> index;
};

/// The steps of a data movement between arrays.
Steps movement_steps(const Instruction& instruction, Operands operands,
                     const Index& index);

}  // namespace hlo::conformance
