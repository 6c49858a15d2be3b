#pragma once

#include <string>

namespace hlo::conformance {

struct CompileOptions {
  std::string file;
  std::string backend = "cpu:";
  bool explain = false;  // print how the backend will run it
  std::string output;    // the file, "" for standard output
  double timeout = 60;   // seconds for each step
};

/// Compiles a program for a backend and prints its explanation, tells the time
/// on standard error, reports errors there, and returns the exit code of the
/// process: kNothing where the backend does not compile apart from running, or
/// has no explanation that is asked for.
int run_compile(const CompileOptions& options);

}  // namespace hlo::conformance
