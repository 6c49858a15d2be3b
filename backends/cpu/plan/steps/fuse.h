#pragma once

#include <vector>

#include "backends/cpu/plan/steps/step_plan.h"

namespace hlo::cpu {

/// The steps of the graph's nodes: an element-wise node whose value only one
/// pass reads, element for element, becomes a part of that pass, and a fold of
/// the lines that a pass computes does, too.
std::vector<Step> make_steps(const Graph& graph);

}  // namespace hlo::cpu
