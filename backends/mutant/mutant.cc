#include "backends/mutant/mutant.h"

#include "interpreter/evaluate.h"

namespace hlo {

Literal original(const Instruction& instruction, Operands operands,
                 Evaluator& evaluator) {
  Instruction proper = instruction;
  proper.op = find_op(instruction.op->name);
  return evaluate_instruction(proper, operands, evaluator);
}

Literal original_with(const Instruction& instruction,
                      std::string_view attribute, const AttributeValue& value,
                      Operands operands, Evaluator& evaluator) {
  Instruction changed = instruction;
  for (auto& [name, old] : changed.attributes) {
    if (name == attribute) old = value;
  }
  return original(changed, operands, evaluator);
}

}  // namespace hlo
