#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case.h"
#include "conformance/judge.h"
#include "conformance/run.h"

namespace hlo::conformance {

/// A case that did not go well, as reports show it.
struct Finding {
  std::string id;
  std::string file;
  int line = 0;
  std::string statement;
  Judgement judgement;
};

/// The cases of one operation and type.
struct Family {
  std::string operation;
  std::string type;
  std::array<int64_t, 10> verdicts{};  // by Verdict
  Closeness closeness;
  double seconds = 0;
  std::vector<Finding> findings;  // failures and errors, at most kMaxFindings

  static constexpr size_t kMaxFindings = 20;

  int64_t cases() const;

  int64_t count(Verdict verdict) const {
    return verdicts.at(static_cast<size_t>(verdict));
  }

  int64_t failures() const;
  int64_t broken() const;
};

/// What a whole run came to.
class Summary {
 public:
  void add(const Case& c, const CaseResult& result);

  /// By operation, then type.
  std::vector<const Family*> families() const;
  /// All of them as one.
  Family total() const;
  int exit_code() const;  // ExitCode
  /// A row for each family and one for all: cases, verdicts, worst error in
  /// ulp, largest share of a bound.
  std::string table() const;

 private:
  std::map<std::pair<std::string, std::string>, Family> families_;
};

/// The finding in full: element, set, actual value, distance, and the command
/// that shows it again.
std::string describe(const Finding& finding, const std::string& backend);
/// The finding of a case.
Finding make_finding(const Case& c, const Judgement& judgement);

}  // namespace hlo::conformance
