#pragma once

#include <map>
#include <string>
#include <string_view>

#include "conformance/case/case.h"
#include "conformance/judge/judge.h"

namespace hlo::conformance {

/// A case as an event tells of it.
struct RecordedCase {
  std::string place;  // file, line and id
  std::string line;   // the event
  Judgement judgement;
};

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
