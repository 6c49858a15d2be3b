#include "interpreter/rules/known_reducer.h"

#include <algorithm>

#include "interpreter/rules/callee.h"

namespace hlo {
namespace {

/// Whether the instruction's operands are both parameters, each once.
bool joins_parameters(const Instruction& instruction) {
  if (instruction.operands.size() != 2) return false;
  const auto a = instruction.operands[0]->parameter_number;
  const auto b = instruction.operands[1]->parameter_number;
  return std::min(a, b) == 0 && std::max(a, b) == 1;
}

/// Whether the root joins the two parameters, which have its type.
bool joins_its_parameters(const Computation& reducer) {
  if (reducer.parameters.size() != 2) return false;
  const Instruction& root = *reducer.root;
  const ElementType type = root.shape.element_type;
  return root.shape.is_scalar() && joins_parameters(root) &&
         reducer.parameters[0]->shape.element_type == type &&
         reducer.parameters[1]->shape.element_type == type;
}

}  // namespace

Reducer recognize(const Computation& reducer) {
  const Computation* joining = &reducer;
  while (joins_its_parameters(*joining)) {
    const Instruction& root = *joining->root;
    if (root.op->form != Form::kCall) return root.op->reducer;
    joining = &callee_of(root);
  }
  return Reducer::kOther;
}

}  // namespace hlo
