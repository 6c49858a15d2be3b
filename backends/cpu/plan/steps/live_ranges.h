#pragma once

#include <cstddef>
#include <vector>

#include "backends/cpu/plan/steps/step_plan.h"

namespace hlo::cpu {

/// The steps while which a value has to be in memory, both included.
struct LiveRange {
  size_t first = 0;  // the step that writes it
  size_t last = 0;   // the last that reads it; one behind all for results
};

/// The range of each value. Those that no step writes (arguments, constants)
/// have one that says nothing.
std::vector<LiveRange> live_ranges(const StepPlan& plan);

/// The values that steps first ... last - 1 write and no other step reads.
std::vector<size_t> inner_values(const StepPlan& plan,
                                 const std::vector<LiveRange>& ranges,
                                 size_t first, size_t last);

/// Whether this step may write its first result where the value lies, which it
/// reads last, element for element, and no other way.
bool can_write_over(const StepPlan& plan, size_t step, size_t value,
                    const std::vector<LiveRange>& ranges);

/// The most bytes of values that are in memory at one step, whatever their
/// places are. Where a step can write over a value, the two count once.
size_t least_bytes(const StepPlan& plan);

}  // namespace hlo::cpu
