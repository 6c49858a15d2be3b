#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/rules/plan.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

std::optional<Literal> value(const Instruction& copy, Operands operands,
                             Evaluator& evaluator) {
  if (!copy.shape.is_array()) return std::nullopt;
  return converted(operands[0], copy.shape.element_type, evaluator.threads())
      .with_shape(copy.shape);
}

}  // namespace

extern constinit const Plan plan_copy{.value = value};

}  // namespace hlo
