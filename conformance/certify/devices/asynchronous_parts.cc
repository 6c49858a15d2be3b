#include "conformance/certify/devices/asynchronous_parts.h"

#include <algorithm>

#include "conformance/expect/collective_call.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo::conformance {

bool starts_copy(const Instruction& instruction) {
  return is_start(instruction) && instruction.op->accuracy.moves_data &&
         instruction.operands.size() == 1 &&
         instruction.operand_shape(0).is_array() &&
         called_by(instruction).empty();
}

const Computation* begun_by(const Instruction& instruction) {
  if (instruction.op->form != Form::kAsync) return nullptr;
  const Computation* wrapped = wrapped_computation(instruction);
  if (wrapped == nullptr) return nullptr;
  const bool begins =
      std::ranges::equal(wrapped->parameters, instruction.operands,
                         [](const Instruction* a, const Instruction* b) {
                           return compatible(a->shape, b->shape,
                                             /*ignore_dynamic=*/true);
                         });
  return begins ? wrapped : nullptr;
}

void require_alone(const Instruction& control) {
  for (const Computation* computation : with_called(called_by(control))) {
    for (const auto& inner : computation->instructions) {
      if (inner->op->communicate == nullptr || names_device(*inner)) continue;
      throw Error(Phase::kEvaluate, "evaluate.undefined",
                  "bounds cannot follow " + inner->name +
                      ", which some backends run and some may not",
                  inner->location);
    }
  }
}

}  // namespace hlo::conformance
