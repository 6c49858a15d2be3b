#pragma once

#include <vector>

#include "backends/cpu/kernels/tiles/run_lines.h"
#include "backends/cpu/plan/memory/value_memory.h"

namespace hlo::cpu {

/// A pass over tiles whose lines are folded, or a fold of lines.
LineStep line_step(const StepPlan& plan, const Step& step,
                   const ValueMemory& memory);

/// The steps of a band, and what only they read.
struct BandSteps {
  std::vector<LineStep> steps;
  std::vector<InnerLine> inner;
};

BandSteps band_steps(const StepPlan& plan, const Band& band,
                     const ValueMemory& memory);

/// Has large results that no step of the band reads written past the caches:
/// for a band whose arrays are computed as a whole.
void stream_results(const StepPlan& plan, const Band& band, BandSteps& steps);

}  // namespace hlo::cpu
