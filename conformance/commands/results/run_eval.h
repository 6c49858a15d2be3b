#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hlo::conformance {

struct EvalOptions {
  std::string file;
  std::vector<std::string> inputs;  // one per parameter, or one "random:SEED"
  std::vector<std::string> infeed;  // in order, or one "random:SEED"
  std::vector<std::string> custom_calls;  // shared libraries
  bool all = false;                       // print all elements everywhere
  std::string output = "print";           // print | none | digest | a folder
  int jobs = 1;                           // threads
  int64_t max_work = 0;                   // 0: by the inputs
  std::string plans = "all";              // PlanSet::parse
};

/// Runs a program on the reference and prints or writes its results,
/// reports errors to standard error, and returns the exit code of the
/// process.
int run_eval(const EvalOptions& options);

}  // namespace hlo::conformance
