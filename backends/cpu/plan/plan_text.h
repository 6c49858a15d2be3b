#pragma once

#include <string>

#include "backends/cpu/plan/steps/step_plan.h"

namespace hlo::cpu {

/// The plan in words, a line each: the steps with what they read and where they
/// write, copies into another order, and the memory beside what the live ranges
/// need at least. Numbers count from 0; places are bytes from the start of the
/// block.
std::string plan_text(const StepPlan& plan);

}  // namespace hlo::cpu
