// spec/ops/map.md
#include "interpreter/plans/region/map_region.h"
#include "interpreter/rules/float_types.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

std::optional<Literal> value(const Instruction& map, Operands operands,
                             Evaluator& evaluator) {
  const auto* callee = map.get<Computation*>("to_apply");
  const Literal result =
      apply_to_elements(*callee, operands, map.shape, evaluator);
  return with_float_type(result, map.shape.element_type);
}

}  // namespace

extern constinit const Plan plan_map{.value = value};

}  // namespace hlo
