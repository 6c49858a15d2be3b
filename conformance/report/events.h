#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/judge/run_case.h"
#include "conformance/report/summary.h"

namespace hlo::conformance {

// The lines of `assay check -o`: JSON objects, one a line, the same from run
// to run (spec/conformance.md, Events).

/// What a run is: runs of which all of it is the same record the same. That of
/// a shard differs from that of the whole run in its number alone.
struct RunIdentity {
  std::string backend;
  int64_t cases = 0;     // of the whole run
  std::string manifest;  // names the cases
  std::string version;   // of this program
  std::string build;     // build_hash()
  std::string profile;
  std::string require;
  bool levels = false;
  bool raw = false;
  std::string waivers;                       // Waivers::digest()
  std::vector<Waiver> active_waivers = {};   // those that hold
  std::vector<Waiver> expired_waivers = {};  // and those that do not any more
  bool strict = false;  // a case that conforms although it is waived fails
  uint32_t shard = 0;   // from 0
  uint32_t of = 1;      // so many shards
  std::string command;  // runs all the cases
};

/// {"event":"begin",...}
std::string begin_event(const RunIdentity& run);
/// {"event":"case",...}; `position` counts the cases of the whole run.
std::string case_event(const Case& c, const Judgement& judgement,
                       int64_t position);
/// {"event":"end",...}: counts of verdicts and the exit code.
std::string end_event(const Summary& summary, int exit_code);

/// SHA-256, in hex, of the ids and programs of the cases in order.
std::string manifest(const std::vector<Case>& cases);

}  // namespace hlo::conformance
