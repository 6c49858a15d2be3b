#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/files/output_file.h"
#include "conformance/judge/run_case.h"
#include "conformance/report/events.h"
#include "conformance/report/recorded_cases.h"
#include "conformance/report/summary.h"

namespace hlo::conformance {

/// What a run has come to so far. The event of a case is written as soon as
/// the case is judged; the summary, and the events in the end, have the cases
/// in their order.
class RunRecord {
 public:
  /// So many cases are to come. Writes no events where there is no file.
  /// They may be a shard: `position` says which number in the whole run the
  /// case with a number here has.
  RunRecord(
      int64_t count, Summary summary, OutputFile* events,
      std::function<int64_t(int64_t)> position = [](int64_t i) { return i; });

  void begin(const RunIdentity& run);
  /// begin() of a run that goes on with what FILE.part and `earlier`, the text
  /// of FILE, have. Errors "usage.resumed_run" and "usage.events".
  void resume(const RunIdentity& run, const std::string& earlier);
  /// The next cases, which outlive their results; all before them were added.
  void take(const std::vector<Case>& cases);
  /// Those of the cases taken last that are not recorded yet, by number.
  std::vector<size_t> unrecorded() const;
  /// `c` is one of the cases taken last.
  void add(const Case& c, const CaseResult& result);
  /// After it nothing is added.
  void end();

  const Summary& summary() const { return summary_; }

  /// The cases that were not judged.
  int64_t left() const { return left_; }

  int exit_code() const;  // ExitCode

 private:
  void put(size_t i, const CaseResult& result);
  void write(size_t i, const std::string& event);
  void summarize(size_t i);

  const std::vector<Case>* cases_ = nullptr;  // taken last
  size_t taken_ = 0;                          // before them
  Summary summary_;
  OutputFile* events_;
  // By case: those that the summary does not have yet.
  std::vector<std::optional<CaseResult>> results_;
  size_t next_ = 0;  // for the summary
  int64_t left_;
  std::vector<std::string> lines_;  // of the begin, each case and the end
  size_t last_line_ = 0;            // written
  bool in_order_ = true;
  std::function<int64_t(int64_t)> position_;
  RecordedCases recorded_;  // by an earlier run
};

}  // namespace hlo::conformance
