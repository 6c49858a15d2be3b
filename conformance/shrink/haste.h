#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "backends/backend.h"
#include "conformance/jobs/worker.h"
#include "conformance/judge/judge.h"
#include "conformance/shrink/edit.h"

namespace hlo::conformance {

/// What a candidate may take. Most backends that hang on one hang on many, so
/// that this is less than what a program may take that is run once.
struct Haste {
  Seconds most;  // before it counts as late
  /// Units of work (interpreter/run/budget.h) of a backend that runs in this
  /// process, so that an endless loop ends soon; 0: what the backend allows.
  int64_t work = 0;
};

/// How much work a candidate may take: 50 ms, and 64 times what the reference
/// takes for the program that it comes from, which is how much slower the model
/// of tiles may be. 0 where the reference does not come to its end.
int64_t work_of_candidates(const Program& program);
/// What the reference takes for it; nothing where that is more than `most`.
std::optional<int64_t> reference_work(const Program& program, int64_t most);
/// Whether the reference comes to its end in so much work.
bool ends_within(const Program& program, int64_t work);

/// Throws what the reference says of a program that it finds no value for. What
/// it has no room, time or function for, others may run: that throws nothing.
void require_value(const Program& program);

/// Whether it says no more than that a limit was met: it may hold no more with
/// another limit.
bool is_by_limit(const Judgement& judgement);
/// No answer came in time.
bool is_late(const Judgement& judgement);

/// A backend that outlives the runs that it is made for, and may do so much
/// work in each; 0: what it allows itself.
std::unique_ptr<Backend> lend(std::shared_ptr<Backend> backend, int64_t work);

}  // namespace hlo::conformance
