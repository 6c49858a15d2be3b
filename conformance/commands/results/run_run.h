#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hlo::conformance {

struct RunOptions {
  std::string file;
  std::string backend = "cpu:";
  std::vector<std::string> inputs;  // one per parameter, or one "random:SEED"
  std::vector<std::string> infeed;  // in order, or one "random:SEED"
  std::vector<std::string> custom_calls;  // shared libraries
  int repeat = 1;                         // how often it runs
  bool in_a_row = false;          // only the last of these runs is looked at
  std::string output = "print";   // print | none | digest | a folder
  bool all = false;               // print all elements everywhere
  bool counts = false;            // print what the backend counts
  bool judge = false;             // by what the program may return
  std::string profile = "tight";  // of that
  int jobs = 1;                   // threads that judge
  int64_t max_work = 0;           // of judging; 0: by the inputs
  double timeout = 60;            // seconds for each run
};

/// Runs a whole program on a backend: prints or writes its results, tells
/// times and memory on standard error, reports errors there, and returns the
/// exit code of the process.
int run_run(const RunOptions& options);

}  // namespace hlo::conformance
