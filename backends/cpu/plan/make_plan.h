#pragma once

#include <optional>

#include "backends/cpu/graph/numerics.h"
#include "backends/cpu/plan/steps/step_plan.h"

namespace hlo::cpu {

/// The plan of a computation; nullopt where make_graph has none.
std::optional<StepPlan> make_plan(const Computation& computation,
                                  Numerics numerics = Numerics::kTight);

}  // namespace hlo::cpu
