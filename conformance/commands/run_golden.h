#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/commands/run_check.h"
#include "conformance/tiers/check_cases.h"

namespace hlo::conformance {

struct GoldenOptions {
  std::string action;  // verify, bless, manifest, draw, make, check, diff
  std::vector<std::string> files;
  std::vector<std::string> inputs;  // of make: as of eval, or several random:S
  Blessing by;                      // of bless: who, when and why
  CheckOptions check;               // of check, but for what is here
  Drawing drawing;                  // of draw
  std::string filter = "*";         // which cases; not of manifest
  std::string output;               // the file, "" for standard output
  int64_t max_work = 0;             // of make, for each case; 0: for each run
  int jobs = 1;                     // cases that are verified at the same time
};

/// Verifies or blesses what vector files state, writes their manifest, prints
/// drawn cases or those of programs as such a file, judges a backend by one, or
/// tells how two differ; reports errors to standard error, and
/// returns the exit code of the process.
int run_golden(const GoldenOptions& options);

}  // namespace hlo::conformance
