#pragma once

#include <string>
#include <vector>

namespace hlo::conformance {

struct FmtOptions {
  std::vector<std::string> files;  // "-": standard input
  bool check = false;  // print nothing; differ where a file is not canonical
  std::string output = {};  // the file, "" for standard output
  std::string to = {};  // "hlo", "stablehlo"; empty: the syntax of the input
};

/// Prints programs in their canonical form, reports errors to standard
/// error, and returns the exit code of the process.
int run_fmt(const FmtOptions& options);

}  // namespace hlo::conformance
