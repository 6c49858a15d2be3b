#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hlo::conformance {

struct CompareOptions {
  std::string file;
  std::string backend = "cpu:";
  std::vector<std::string> inputs;
  std::vector<std::string> infeed;
  std::vector<std::string> custom_calls;
  int threads = 2;
  int64_t max_work = 0;  // 0: by the inputs
  double timeout = 60;   // seconds for an instruction
  int failures = 1;      // instructions that fail before it stops
  std::string profile = "tight";
};

/// Judges a backend by one program and its inputs, reports errors to
/// standard error, and returns the exit code of the process.
int run_compare(const CompareOptions& options);

}  // namespace hlo::conformance
