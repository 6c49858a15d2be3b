#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hlo::conformance {

struct BoundsOptions {
  std::string file;
  std::vector<std::string> inputs;
  std::string profile = "tight";
  std::string backend;          // judged too, where one is named
  std::string output;           // folder for .npy files, "" for none
  std::optional<int64_t> show;  // elements of each leaf, the widest first
  bool all = false;             // all elements
  int jobs = 1;                 // threads
  double timeout = 60;          // seconds for the backend
  int64_t max_work = 0;         // 0: by the inputs
};

/// Prints what any conforming backend may return for a program, reports
/// errors to standard error, and returns the exit code of the process.
int run_bounds(const BoundsOptions& options);

}  // namespace hlo::conformance
