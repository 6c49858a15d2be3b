#pragma once

#include <cstdint>
#include <functional>

#include "conformance/judge/run_case.h"
#include "conformance/levels/profile.h"
#include "conformance/sweep/points/sweep_points.h"
#include "conformance/sweep/sweep_tally.h"

namespace hlo::conformance {

/// How a sweep is run.
struct SweepRunning {
  Profile profile;
  int64_t first = 0;            // chunk; those before it are known
  int jobs = 1;                 // at the same time, with a backend each
  Seconds most = Seconds(600);  // that a backend has for a chunk
};

/// Calls put(tally) for each chunk from the first one on, in their order, by
/// one thread at a time. A chunk that is not answered is asked for once more,
/// of a new backend. Errors "sweep.unsupported" and "sweep.backend", which come
/// after all chunks before that one were put.
void run_chunks(const SweptOperation& operation, const SweepPlan& plan,
                const MakeBackend& make,
                const std::function<void(const SweepTally&)>& put,
                const SweepRunning& running);

}  // namespace hlo::conformance
