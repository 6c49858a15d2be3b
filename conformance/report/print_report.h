#pragma once

#include <cstdint>
#include <string>

#include "conformance/report/summary.h"

namespace hlo::conformance {

/// What a report on a backend shows.
struct ReportOptions {
  std::string backend;
  int failures = 5;      // how many in full
  bool levels = false;   // the strictest level passed
  bool verbose = false;  // a row for each operation and type
};

/// Prints what `assay check` prints in the end (spec/conformance.md, Reports);
/// so many cases are left that were not judged.
void print_report(const Summary& summary, int64_t left,
                  const ReportOptions& options);

}  // namespace hlo::conformance
