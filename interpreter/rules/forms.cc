#include "interpreter/rules/forms.h"

#include <algorithm>

namespace hlo {

const Op& op_of(Form form) {
  return **std::ranges::find(all_ops(), form, &Op::form);
}

Literal first_operand(const Instruction&, Operands operands, Evaluator&) {
  return operands[0];
}

}  // namespace hlo
