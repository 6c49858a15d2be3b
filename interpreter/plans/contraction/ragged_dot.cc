#include <optional>

#include "interpreter/plans/contraction/ragged.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

std::optional<Literal> value(const Instruction& dot, Operands operands,
                             Evaluator& evaluator) {
  if (dot.shape.element_count() == 0) return Literal(dot.shape);
  return apply(ragged_dot(dot, operands[2]), dot, operands.first(2), evaluator);
}

}  // namespace

extern constinit const Plan plan_ragged_dot{.value = value};

}  // namespace hlo
