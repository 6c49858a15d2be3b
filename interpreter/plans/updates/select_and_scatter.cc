#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/plans/updates/window_select.h"
#include "interpreter/rules/plan.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

Updating updating(const Instruction& instruction, Operands operands,
                  Evaluator& evaluator) {
  const Fold windows{1,
                     window_axes(operands[0].shape(), operands[1].shape(),
                                 instruction.get_or("window", Window{})),
                     instruction.get<Computation*>("select")};
  const Literal init = converted(operands[2], instruction.shape.element_type,
                                 evaluator.threads());
  return {.initial = {Literal::splat(instruction.shape, init.scalar())},
          .updates = select_cells(windows, operands, evaluator),
          .first_source = 1,
          .region = instruction.get<Computation*>("scatter")};
}

}  // namespace

extern constinit const Plan plan_select_and_scatter{.updating = updating};

}  // namespace hlo
