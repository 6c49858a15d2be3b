#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/case/case.h"
#include "conformance/jobs/worker.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/prepared_case.h"

namespace hlo::conformance {

/// Runs the case on the backend and judges the result. Never throws. Under a
/// profile other than the default one the sets are those of the operations,
/// where the values that the case states are the reference's. What does not go
/// well runs a second time.
Judgement run_case(const Case& c, Backend& backend,
                   const Judging& judging = {});

struct CaseResult {
  Judgement judgement;
  double seconds = 0;
};

/// How cases are run.
struct Running {
  Judging judging = {};
  int jobs = 1;  // at the same time, with a backend each
  /// How long a case may take: one that has not been judged by then counts as
  /// crashed, and goes on beside the next, for which there is a new backend
  /// (end_if_threads_run).
  Seconds most = Seconds(3600);
};

using MakeBackend = std::function<std::unique_ptr<Backend>()>;

/// Runs the cases. `report` is called for each case as soon as it is judged, by
/// one thread at a time; what it throws ends the run.
void run_cases(
    std::span<const Case> cases, const MakeBackend& make,
    const std::function<void(const Case&, const CaseResult&)>& report,
    const Running& running = {});

}  // namespace hlo::conformance
