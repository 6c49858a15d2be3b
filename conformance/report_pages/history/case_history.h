#pragma once

#include <string>
#include <vector>

#include "conformance/report_pages/run_table.h"

namespace hlo::conformance {

/// Runs of one backend, in their order.
struct BackendRuns {
  std::string backend;
  std::vector<size_t> runs;
};

/// In the order of their first runs.
std::vector<BackendRuns> runs_by_backend(const RunTable& table);

/// For each backend the cases that changed from one of its runs to the next,
/// each with its verdicts: one for several runs in a row that give the same.
/// What never changed is one line.
std::string history_text(const RunTable& table);

/// A row for each run: what it came to, and what changed since the run of the
/// same backend before it.
std::string trend_text(const RunTable& table);

}  // namespace hlo::conformance
