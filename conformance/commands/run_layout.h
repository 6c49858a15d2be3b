#pragma once

#include <string>
#include <vector>

namespace hlo::conformance {

struct LayoutOptions {
  std::string shape;
  std::vector<std::string> at;       // indices
  std::vector<std::string> offsets;  // slots
  std::string output;                // the file, "" for standard output
  std::string svg;                   // file for a picture, "" for none
};

/// Draws how an array lies in memory, reports errors to standard error, and
/// returns the exit code of the process.
int run_layout(const LayoutOptions& options);

}  // namespace hlo::conformance
