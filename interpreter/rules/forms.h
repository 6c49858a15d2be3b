#pragma once

#include "interpreter/rules/op.h"

namespace hlo {

/// The operation of that form, the first one where there are several.
const Op& op_of(Form form);

/// The value of operations that hand on their first operand as it is.
Literal first_operand(const Instruction& instruction, Operands operands,
                      Evaluator& evaluator);

}  // namespace hlo
