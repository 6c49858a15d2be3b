#include <optional>

#include "interpreter/plans/contraction/scaled.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

std::optional<Literal> value(const Instruction& dot, Operands operands,
                             Evaluator& evaluator) {
  const auto scaled = scaled_dot(dot, operands);
  if (!scaled) return std::nullopt;
  return apply(*scaled, dot.shape, evaluator);
}

}  // namespace

extern constinit const Plan plan_scaled_dot{.value = value};

}  // namespace hlo
