#pragma once

#include <string>
#include <vector>

namespace hlo::conformance {

struct GoldenOptions {
  std::string action;  // verify | bless
  std::vector<std::string> files;
};

/// Verifies or blesses what vector files state, reports errors to standard
/// error, and returns the exit code of the process.
int run_golden(const GoldenOptions& options);

}  // namespace hlo::conformance
