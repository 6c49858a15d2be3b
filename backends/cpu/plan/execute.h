#pragma once

#include <functional>
#include <span>
#include <vector>

#include "backends/cpu/arrays/function.h"
#include "backends/cpu/plan/steps/step_plan.h"

namespace hlo::cpu {

/// Runs one instruction by its function.
using RunInstruction = std::function<Array(const Instruction&, Operands)>;

/// Runs the steps on the leaves of the parameters, dense and row-major, and
/// returns the leaves of the result; tokens among them have no bytes.
std::vector<Array> execute(const StepPlan& plan,
                           std::span<const std::byte* const> arguments,
                           const RunInstruction& run);

}  // namespace hlo::cpu
