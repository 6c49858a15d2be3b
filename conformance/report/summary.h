#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/run_case.h"
#include "conformance/waivers/waivers.h"

namespace hlo::conformance {

/// A case that did not go well, as reports show it.
struct Finding {
  std::string id;
  std::string file;
  int line = 0;
  std::string statement;
  Judgement judgement;
  std::string command;  // shows it again
};

/// A case as a test of a JUnit report.
struct TestedCase {
  std::string name;  // the id behind operation and type
  Verdict verdict = Verdict::kUnjudged;
  std::string waiver;      // what it did wrong is waived by this one
  bool surprises = false;  // it conforms although waived, which is a failure
  bool flaky = false;
  double seconds = 0;
  std::string message;  // of one that did not go well, in a line
  std::string text;     // the finding in full, where it is kept
};

/// The cases of one operation and type.
struct Family {
  std::string operation;
  std::string type;
  std::array<int64_t, kVerdictCount> verdicts{};  // by Verdict, but waived ones
  int64_t flaky = 0;  // those that ran again with another outcome
  /// Those that did not go well and are waived, by waiver: in no other count.
  std::map<std::string, int64_t> waived;
  int64_t unexpected = 0;  // those that conform although they are waived
  Closeness closeness;
  double seconds = 0;
  std::vector<Finding> findings;  // failures and errors, at most kMaxFindings
  std::vector<TestedCase> tests;  // all, where the summary keeps them

  static constexpr size_t kMaxFindings = 20;

  /// Those that were judged, the refused ones too.
  int64_t judged() const;
  /// Those that the backend was asked about.
  int64_t cases() const;

  int64_t count(Verdict verdict) const {
    return verdicts.at(static_cast<size_t>(verdict));
  }

  int64_t all_waived() const;
  int64_t conforming() const;
  int64_t failures() const;
  int64_t broken() const;

  void add(const Family& other);  // its counts
};

/// What a whole run came to.
class Summary {
 public:
  /// `command` runs all the cases; a --filter with the case's id is added to
  /// it where `filters`.
  explicit Summary(std::string command, bool filters = true)
      : command_(std::move(command)), filters_(filters) {}

  /// Every case that comes is kept as a test, for a JUnit report.
  void keep_tests() { keeps_tests_ = true; }

  /// Waivers that are told of each case, which may be null. Where it is strict,
  /// a case that conforms although it is waived is a failure of the run.
  void set_waivers(Waivers* waivers, bool is_strict) {
    waivers_ = waivers;
    is_strict_ = is_strict;
  }

  bool is_strict() const { return is_strict_; }

  /// How often each waiver held, and what is wrong with waivers; a line each.
  std::string waiver_lines() const;
  /// The finding, where the case did not go well and is kept.
  const Finding* add(const Case& c, const CaseResult& result);

  /// By operation, then type.
  std::vector<const Family*> families() const;
  /// All of them as one.
  Family total() const;
  int exit_code() const;  // ExitCode
  /// A row for each family and one for all: cases, verdicts, worst error in
  /// ulp, largest share of a bound; as a Table that is at most so wide.
  std::string table(std::optional<int> width = {}) const;
  /// A line for each operation with cases that the backend ran and that did not
  /// conform: "add: 12 of 13 cases conform, 1 differs". One more line counts
  /// the operations with cases that it does not support.
  std::string findings_by_operation() const;

 private:
  std::map<std::string, Family> by_operation() const;
  /// Counts it, and keeps it as a finding where it did not go well.
  const Finding* count(Family& family, const Case& c,
                       const Judgement& judgement) const;
  const Finding* keep_finding(Family& family, const Case& c,
                              const Judgement& judgement) const;

  std::string command_;
  bool filters_;
  bool keeps_tests_ = false;
  std::map<std::pair<std::string, std::string>, Family> families_;
  Waivers* waivers_ = nullptr;
  bool is_strict_ = false;
};

/// The finding in full: element, set, actual value, distance, and the command
/// that shows it again.
std::string describe(const Finding& finding);
/// A verdict on all cases in one line: "cpu: 12 of 13 cases conform, 1 differs;
/// the verifier refused 2 invalid programs". A colon follows the backend that
/// does not end with one.
std::string verdict_line(const Summary& summary, const std::string& backend);
/// How many elements conform only because their bound excludes nothing; empty
/// where there are none.
std::string empty_bounds_line(const Summary& summary);
/// The first two parts of an id, operation and type; "" for what is missing.
std::pair<std::string, std::string> family_of(const std::string& id);
/// Why the case did not go well, in a line: the verdict, and the message or the
/// set and the actual value.
std::string why(const Judgement& judgement);
/// A case that went well although it is waived.
bool is_unexpected(const Judgement& judgement);
/// `text` as one word of a shell's command line.
std::string shell_quoted(const std::string& text);

}  // namespace hlo::conformance
