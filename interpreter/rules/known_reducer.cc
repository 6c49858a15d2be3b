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

}  // namespace

Reducer recognize(const Computation& reducer) {
  if (reducer.parameters.size() != 2) return Reducer::kOther;
  const Instruction& root = *reducer.root;
  const ElementType type = root.shape.element_type;
  if (!root.shape.is_scalar() || !joins_parameters(root) ||
      reducer.parameters[0]->shape.element_type != type ||
      reducer.parameters[1]->shape.element_type != type) {
    return Reducer::kOther;
  }
  if (root.op->form == Form::kCall) return recognize(callee_of(root));
  return root.op->reducer;
}

}  // namespace hlo
