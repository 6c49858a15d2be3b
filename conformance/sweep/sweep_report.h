#pragma once

#include <string>
#include <vector>

#include "conformance/sweep/points/sweep_points.h"
#include "conformance/sweep/sweep_tally.h"

namespace hlo::conformance {

/// What is told of a sweep.
struct SweepResult {
  SweptOperation operation;
  std::string backend;
  std::string profile;
  SweepTally total;
  std::vector<SweepWorst> worst;  // of the chunks, the largest first
};

/// "12.345": so many units as units in the last place, rounded down.
std::string ulps(uint64_t units);
/// The accuracy profile, in words and a histogram of bars.
std::string report(const SweepResult& result);
/// It as a picture: the error over the operands, where there is one, and the
/// histogram. SVG.
std::string draw_sweep(const SweepResult& result, const SweepPlan& plan);

}  // namespace hlo::conformance
