#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/events.h"
#include "conformance/report/recorded_cases.h"

namespace hlo::conformance {

/// What a file of events says, as far as it can be read.
struct EventFile {
  std::string name;                 // of the file
  std::optional<RunIdentity> run;   // nothing where its line is missing
  std::vector<RecordedCase> cases;  // as in the file, each once, no `event`
  bool ended = false;               // all cases of the run were judged
  bool has_end = false;             // its last line is there
  /// What could not be read, as FILE:LINE: error: ...; the first ones.
  std::vector<std::string> problems;
  int64_t unread = 0;  // lines that could not be read

  static constexpr size_t kMostProblems = 10;

  /// The backend, or the name of the file where it is not known.
  const std::string& backend() const { return run ? run->backend : name; }

  /// Some of the cases are missing.
  bool is_partial() const { return is_cut() || shards() > 1; }

  /// Some of those that the run should have judged are: it was stopped, or what
  /// it said is not all here.
  bool is_cut() const { return !ended || unread > 0; }

  /// What is missing: "shard 0/2", "2 cases were not judged"; empty of a run
  /// that is not partial.
  std::string missing() const;

  uint32_t shards() const { return run ? run->of : 1; }

  /// How many cases are known to be missing in this file.
  int64_t left() const;
};

/// The events in the text of that file. A line that is no event of a run is
/// left out and counted; a last line that is cut off is one of them.
EventFile read_event_file(const std::string& name, std::string_view text);

}  // namespace hlo::conformance
