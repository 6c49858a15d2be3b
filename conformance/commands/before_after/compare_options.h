#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/commands/shrinking/shrink_failures.h"
#include "conformance/waivers/waivers.h"

namespace hlo::conformance {

struct CompareOptions {
  std::string file;
  std::vector<std::string> files;  // in its place; folders, too
  std::string before;              // of two programs: run_translation()
  std::string after;
  std::string dump;    // a folder of such programs
  std::string elided;  // random:SEED, what constants left out are
  std::string backend = "cpu:";
  std::vector<std::string> inputs;
  std::vector<std::string> infeed;
  std::vector<std::string> custom_calls;
  std::string filter = "*";   // which instructions, by the ids of reports
  std::string plans = "all";  // PlanSet::parse
  int jobs = 1;               // threads
  int64_t max_work = 0;       // 0: by the inputs
  double timeout = 60;        // seconds for an instruction
  int failures = 1;           // instructions that fail before it stops
  bool all = false;           // it does not stop
  std::string output;         // file for the report, "" for standard output
  std::string junit;          // file, "" for none
  ShrinkRequest shrink;       // instructions that fail
  Waiving waiving;            // which failures are known
  std::string profile;        // "tight", or what compilers may do
};

}  // namespace hlo::conformance
