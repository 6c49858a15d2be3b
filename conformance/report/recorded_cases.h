#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "conformance/case/case.h"
#include "conformance/judge/judge.h"
#include "conformance/report/events.h"

namespace hlo::conformance {

/// A case as an event tells of it.
struct RecordedCase {
  std::string id;
  std::string file;
  int line = 0;
  int64_t position = 0;   // in the whole run
  std::string statement;  // of one that did not go well
  std::string event;
  Judgement judgement;
};

/// Its id, place and statement, without program and values.
Case case_of(const RecordedCase& recorded);

/// What begin_event() wrote. Error "usage.events".
RunIdentity read_begin_event(const std::string& line);
/// That the line is what end_event() wrote. Error "usage.events".
void check_end_event(const std::string& line);
/// What case_event() wrote. Error "usage.events".
RecordedCase read_case_event(const std::string& line);

/// The cases that earlier runs have recorded.
class RecordedCases {
 public:
  /// Adds those of a text of events, whole lines, that is empty or begins with
  /// this one; what is there stays. Errors "usage.resumed_run" and
  /// "usage.events".
  void add(std::string_view text, const std::string& begin);

  /// Nothing where the case is not recorded.
  const RecordedCase* find(const Case& c) const;

 private:
  std::map<std::string, RecordedCase> cases_;  // by place
};

}  // namespace hlo::conformance
