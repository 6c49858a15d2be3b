#pragma once

#include <string>
#include <vector>

namespace hlo::conformance {

struct HistoryOptions {
  std::vector<std::string> files;  // of events, or folders of such
  std::string output;              // file, "" for standard output
  bool trend = false;              // a row for each run
};

/// Prints the history of the cases, or the trend of the runs. The runs are in
/// the order of the names of their files.
int run_history(const HistoryOptions& options);

}  // namespace hlo::conformance
