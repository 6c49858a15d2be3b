#include "backends/cpu/plan/steps/step_plan.h"

#include <algorithm>

namespace hlo::cpu {
namespace {

/// Whether the i-th array is read as the result is written.
bool reads_in_order(const StepPlan& plan, const Step& step, size_t i) {
  const Node& node = plan.graph.nodes[step.node];
  const bool overwrites =
      node.kind == NodeKind::kUpdate ||
      (node.kind == NodeKind::kRoutine && node.routine->overwrites);
  if (overwrites) return i == 0 && node.operands[0].is_whole();
  // Behind the inputs is what a fold begins with.
  if (!step.writes_tiles() || i >= step.program.inputs.size()) return false;
  const TileInput& input = step.program.inputs[i];
  return width_of(input.stored) == width_of(step.program.result) &&
         input.view.offset == 0 && input.view.is_contiguous();
}

}  // namespace

bool may_write_over(const StepPlan& plan, const Step& step, size_t i) {
  const size_t value = step.reads[i];
  return reads_in_order(plan, step, i) &&
         std::ranges::count(step.reads, value) == 1 &&
         plan.graph.values[value].bytes ==
             plan.graph.values[step.writes[0]].bytes;
}

}  // namespace hlo::cpu
