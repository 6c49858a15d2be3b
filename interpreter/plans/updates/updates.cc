#include "interpreter/plans/updates/updates.h"

#include "interpreter/rules/plan.h"

namespace hlo {

Updating updating_of(const Instruction& instruction, Operands operands,
                     Evaluator& evaluator) {
  const Op& op = *instruction.op;
  const PlanOf found = find_plan(op);
  if (found.plan != nullptr && found.plan->updating != nullptr) {
    return found.plan->updating(instruction, operands, evaluator);
  }
  const Updates updates = op.updates(instruction, operands, evaluator);
  return {.initial = updates.initial,
          .updates = in_order(updates),
          .first_source = static_cast<int64_t>(updates.first_source),
          .region = updates.region};
}

}  // namespace hlo
