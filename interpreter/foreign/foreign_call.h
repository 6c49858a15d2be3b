#pragma once

#include "interpreter/rules/op.h"

// custom-call to a function that is not the specification's
// (spec/ops/custom_call.md, Foreign functions).

namespace hlo {

/// Whether the instruction is a custom-call whose target has no meaning in the
/// specification.
bool is_foreign_call(const Instruction& instruction);
/// Calls the function that the evaluation has under the name of the target.
/// Evaluate error "custom-call.target" where there is none, or where no
/// function can take the call.
Literal call_foreign(const Instruction& custom_call, Operands operands,
                     const Evaluator& evaluator);

}  // namespace hlo
