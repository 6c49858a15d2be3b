#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hlo::conformance {

struct ExplainOptions {
  std::string file;
  std::vector<std::string> inputs;
  std::vector<std::string> infeed;
  std::vector<std::string> custom_calls;
  std::string backend = "interpreter:";  // who tells
  std::string element;          // %name{0}[1,2]; "": the first of the result
  int64_t run = 1;              // of the instruction, which may run many times
  std::vector<int64_t> device;  // replica, partition; {}: the first to run it
  int depth = 1;                // how many instructions back
  int terms = 16;               // of a sum that are shown
  bool all = false;             // all terms
  std::string plans = "all";    // PlanSet::parse
  std::string output;           // the file, "" for standard output
  int jobs = 1;                 // threads
  int64_t max_work = 0;         // 0: by the inputs
};

/// Tells where an element of a result comes from, reports errors to
/// standard error, and returns the exit code of the process.
int run_explain(const ExplainOptions& options);

}  // namespace hlo::conformance
