#pragma once

#include <string>

namespace hlo::conformance {

struct SpecOptions {
  std::string operation;
  std::string output = {};  // the file, "" for standard output
};

/// Prints the page of an operation, reports errors to standard error, and
/// returns the exit code of the process.
int run_spec(const SpecOptions& options);

}  // namespace hlo::conformance
