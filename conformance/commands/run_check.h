#pragma once

#include <string>
#include <vector>

#include "conformance/commands/shrinking/shrink_failures.h"
#include "conformance/tiers/check_cases.h"
#include "conformance/tiers/shard.h"
#include "conformance/waivers/waivers.h"

namespace hlo::conformance {

struct CheckOptions {
  std::string backend = "cpu:";
  std::vector<std::string> cases;  // vector files, pages, folders; default all
  std::string tier = "core";       // smoke, core, full; not with `cases`
  Drawing drawing;                 // of full; the shard is of all
  Environment environment;         // may say which shard it is
  std::string filter = "*";        // GLOB[:-GLOB] on case ids
  std::string require;             // a filter: what must be supported
  Waiving waiving;                 // which failures are known
  int jobs = 1;                    // cases at the same time
  double timeout = 60;             // seconds for a case
  std::string junit;               // file, "" for none
  std::string output;              // JSONL events, "" for none
  bool resume = false;             // go on with what `output` has
  std::string cache;               // folder of results, "" for none
  std::string version;             // of this program
  bool is_golden = false;          // it is called assay golden check
  bool exact = false;              // the reference's bits alone conform
  int failures = 5;                // how many to print in full
  std::string profile = "tight";
  ShrinkRequest shrink;
  bool raw = false;      // also compare the memory of results
  bool levels = false;   // print the strictest level passed
  bool verbose = false;  // a row for each operation and type
};

/// Judges a backend by cases, reports errors to standard error, and returns
/// the exit code of the process.
int run_check(const CheckOptions& options);

}  // namespace hlo::conformance
