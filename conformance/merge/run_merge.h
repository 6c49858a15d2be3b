#pragma once

#include <string>
#include <vector>

namespace hlo::conformance {

struct MergeOptions {
  std::vector<std::string> files;  // events of shards
  std::string output;              // events of the whole, "" for none
  std::string junit;               // file, "" for none
  int failures = 5;                // how many to print in full
  bool verbose = false;            // a row for each operation and type
};

/// Joins the events of all shards of a run, prints the report on the whole, and
/// returns its exit code: kIncomplete where a shard or a case is missing.
int run_merge(const MergeOptions& options);

}  // namespace hlo::conformance
