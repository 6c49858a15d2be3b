#pragma once

#include <vector>

#include "backends/cpu/plan/steps/step_plan.h"

namespace hlo::cpu {

/// The divisions of a plan whose bands are found: batches of products with what
/// is done to each matrix, where these are larger than caches.
std::vector<Division> find_divisions(const StepPlan& plan);

/// Whether what the steps of this step's division before it read of the value
/// belongs to their own part, so that this step may write over it.
bool is_read_by_parts(const StepPlan& plan, size_t step, size_t value);

}  // namespace hlo::cpu
