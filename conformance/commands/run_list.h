#pragma once

#include <string>

namespace hlo::conformance {

struct ListOptions {
  bool operations = false;
  bool backends = false;
  bool types = false;
  bool cases = false;
  std::string tags = {};  // the backend whose tags are listed
  std::string filter = "*";
  std::string output = {};  // the file, "" for standard output
};

/// Lists operations, backends, element types or cases, reports errors to
/// standard error, and returns the exit code of the process.
int run_list(const ListOptions& options);

}  // namespace hlo::conformance
