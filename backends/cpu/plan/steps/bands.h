#pragma once

#include <vector>

#include "backends/cpu/plan/steps/step_plan.h"

namespace hlo::cpu {

/// The bands of the steps: passes over tiles and folds of lines, two and more,
/// of which one reads what another writes.
std::vector<Band> find_bands(const StepPlan& plan);

/// Whether the i-th array that the step reads is read line by line, of so many.
bool reads_by_lines(const Graph& graph, const Step& step, size_t i,
                    int64_t lines);

/// Where the steps of each step's band end: one behind its last. A step without
/// a band is one by itself.
std::vector<size_t> ends_of_bands(const StepPlan& plan);

/// Whether what the steps of this step's band before it read of the value is
/// what belongs to their own lines, so that this step may write over it.
bool is_read_by_lines(const StepPlan& plan, size_t step, size_t value);

}  // namespace hlo::cpu
