#pragma once

#include <string>
#include <vector>

#include "conformance/tiers/check_cases.h"

namespace hlo::conformance {

struct GoldenOptions {
  std::string action;  // verify, bless, manifest, draw
  std::vector<std::string> files;
  Drawing drawing;           // of draw
  std::string filter = "*";  // which cases; not of manifest
  std::string output;        // of draw: the file, "" for standard output
  int jobs = 1;              // cases that are verified at the same time
};

/// Verifies or blesses what vector files state, writes their manifest, or
/// prints drawn cases as such a file; reports errors to standard error, and
/// returns the exit code of the process.
int run_golden(const GoldenOptions& options);

}  // namespace hlo::conformance
