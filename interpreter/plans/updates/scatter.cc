#include "interpreter/plans/updates/scatter_map.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

Updating updating(const Instruction& scatter, Operands operands, Evaluator&) {
  const auto n = static_cast<std::ptrdiff_t>(operands.size() / 2);
  const Literal& indices = operands[static_cast<size_t>(n)];
  const Literal& updates = operands[static_cast<size_t>(n) + 1];
  return {
      .initial = {operands.begin(), operands.begin() + n},
      .updates = scatter_updates(ScatterDimensions(scatter),
                                 operands[0].shape(), indices, updates.shape()),
      .first_source = n + 1,
      .region = scatter.get<Computation*>("to_apply")};
}

}  // namespace

extern constinit const Plan plan_scatter{.updating = updating};

}  // namespace hlo
