#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/judge/judge.h"
#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// What is said of results that were computed elsewhere.
struct ResultReport {
  Verdict verdict = Verdict::kUnjudged;  // of all: the worst
  std::string message = {};              // where no leaf is judged
  std::vector<Judgement> leaves = {};
};

/// Judges the array leaves of a result of the module under the profile. Where
/// an operation's own set says nothing of a leaf, its certified range does.
ResultReport judge_results(const Module& module,
                           const std::vector<std::vector<Literal>>& arguments,
                           const std::vector<Literal>& results,
                           const Profile& profile);

/// The report as text: the verdict, a line for each leaf, and what is wrong.
std::string describe(const ResultReport& report,
                     const std::vector<Literal>& results);

}  // namespace hlo::conformance
