#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpreter/rules/op.h"

// Arrays that have fewer elements at run time than their bounds say
// (spec/dynamic_sizes.md): an operation makes of them what it makes of arrays
// of just those sizes.

namespace hlo {

/// An instruction on arrays of just the sizes that they have at run time.
struct SizedRun {
  Instruction instruction;  // its attributes and its shape say those sizes
  std::vector<Literal> operands;
  std::vector<std::unique_ptr<Instruction>> parameters;  // its operands
};

/// Whether some operand has fewer elements at run time than its bounds say, and
/// the operation is one that such a run defines. Element-wise operations and
/// those that hand arrays on are not: they need no other instruction.
bool runs_at_sizes(const Instruction& instruction, Operands operands);
/// Evaluate error "evaluate.sizes" where a rule of the operation does not hold
/// at those sizes.
SizedRun at_sizes(const Instruction& instruction, Operands operands);
Literal evaluate_at_sizes(const Instruction& instruction, Operands operands,
                          Evaluator& evaluator);

/// Gives an element-wise result the least of the sizes of its operands.
void inherit_sizes(Literal& result, Operands operands);
}  // namespace hlo
