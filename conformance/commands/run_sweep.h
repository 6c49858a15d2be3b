#pragma once

#include <string>

namespace hlo::conformance {

struct SweepOptions {
  std::string operation;
  std::string type = "f32";
  std::string backend;
  std::string range;  // "" for all
  std::string profile = "tight";
  std::string output;  // file for the tallies, "" for none
  std::string svg;     // file for a picture, "" for none
  bool resume = false;
  int jobs = 1;
  double timeout = 600;  // seconds for a chunk
  std::string version;
};

/// Runs an operation on every operand of a type, or on strata of a wide one,
/// and prints how accurate it is; the exit code of the process.
int run_sweep(const SweepOptions& options);

}  // namespace hlo::conformance
