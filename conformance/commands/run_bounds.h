#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hlo::conformance {

struct BoundsOptions {
  std::string file;
  std::vector<std::string> inputs;
  std::string profile = "tight";
  std::string backend;   // judged too, where one is named
  std::string output;    // folder for .npy files, "" for none
  int show = 8;          // elements of each leaf, the widest first
  int64_t max_work = 0;  // 0: by the inputs
};

/// Prints what any conforming backend may return for a program, reports
/// errors to standard error, and returns the exit code of the process.
int run_bounds(const BoundsOptions& options);

}  // namespace hlo::conformance
