#include "backends/cpu/plan/steps/live_ranges.h"

#include <algorithm>
#include <iterator>

namespace hlo::cpu {
namespace {

bool lies_in_block(const StepPlan& plan, size_t number) {
  const Value& value = plan.graph.values[number];
  return value.argument < 0 && value.literal == nullptr &&
         plan.over[number] < 0;
}

/// The bytes that the step's result and an operand under it share.
size_t shared_bytes(const StepPlan& plan, size_t step,
                    const std::vector<LiveRange>& ranges) {
  const Step& own = plan.steps[step];
  if (own.writes.empty() || !lies_in_block(plan, own.writes[0])) return 0;
  for (const size_t value : own.reads) {
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

std::vector<size_t> inner_values(const StepPlan& plan,
                                 const std::vector<LiveRange>& ranges,
                                 size_t first, size_t last) {
  std::vector<size_t> inner;
  for (size_t s = first; s < last; ++s) {
    std::ranges::copy_if(
        plan.steps[s].writes, std::back_inserter(inner),
        [&](size_t value) { return ranges[value].last < last; });
  }
  return inner;
}

bool can_write_over(const StepPlan& plan, size_t step, size_t value,
                    const std::vector<LiveRange>& ranges) {
  if (ranges[value].last != step || !lies_in_block(plan, value)) return false;
  const Step& own = plan.steps[step];
  const auto at = std::ranges::find(own.reads, value) - own.reads.begin();
  return may_write_over(plan, own, static_cast<size_t>(at));
}

size_t least_bytes(const StepPlan& plan) {
  const std::vector<LiveRange> ranges = live_ranges(plan);
  std::vector<size_t> begin(plan.steps.size() + 1);
  std::vector<size_t> end(plan.steps.size() + 1);
  for (const Step& step : plan.steps) {
    for (const size_t value : step.writes) {
      if (!lies_in_block(plan, value)) continue;
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
