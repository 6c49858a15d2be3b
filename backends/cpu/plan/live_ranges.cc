#include "backends/cpu/plan/live_ranges.h"

#include <algorithm>

namespace hlo::cpu {
namespace {

bool lies_in_block(const Value& value) {
  return value.argument < 0 && value.literal == nullptr;
}

/// The bytes that the step's result and an operand under it share.
size_t shared_bytes(const StepPlan& plan, size_t step,
                    const std::vector<LiveRange>& ranges) {
  for (const size_t value : plan.steps[step].reads) {
    if (can_write_over(plan, step, value, ranges)) {
      return plan.graph.values[value].bytes;
    }
  }
  return 0;
}

}  // namespace

std::vector<LiveRange> live_ranges(const StepPlan& plan) {
  std::vector<LiveRange> ranges(plan.graph.values.size());
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    for (const size_t value : plan.steps[s].writes) ranges[value] = {s, s};
    for (const size_t value : plan.steps[s].reads) ranges[value].last = s;
  }
  for (const Operand& result : plan.graph.results) {
    ranges[result.value].last = plan.steps.size();
  }
  return ranges;
}

bool can_write_over(const StepPlan& plan, size_t step, size_t value,
                    const std::vector<LiveRange>& ranges) {
  const Step& own = plan.steps[step];
  const TileProgram& program = own.program;
  if (!own.writes_tiles() || ranges[value].last != step ||
      !lies_in_block(plan.graph.values[value]) ||
      std::ranges::count(own.reads, value) != 1) {
    return false;
  }
  const auto at = static_cast<size_t>(std::ranges::find(own.reads, value) -
                                      own.reads.begin());
  if (at >= program.inputs.size()) return false;  // the fold begins with it
  const TileInput& input = program.inputs[at];
  return input.width == program.result_width && input.view.offset == 0 &&
         input.view.is_contiguous() &&
         plan.graph.values[value].bytes ==
             plan.graph.values[own.writes[0]].bytes;
}

size_t least_bytes(const StepPlan& plan) {
  const std::vector<LiveRange> ranges = live_ranges(plan);
  std::vector<size_t> begin(plan.steps.size() + 1);
  std::vector<size_t> end(plan.steps.size() + 1);
  for (const Step& step : plan.steps) {
    for (const size_t value : step.writes) {
      begin[ranges[value].first] += plan.graph.values[value].bytes;
      end[ranges[value].last] += plan.graph.values[value].bytes;
    }
  }
  size_t live = 0;
  size_t most = 0;
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    live += begin[s];
    most = std::max(most, live - shared_bytes(plan, s, ranges));
    live -= end[s];
  }
  return most;
}

}  // namespace hlo::cpu
