#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/mutant/mutant_backend.h"
#include "backends/registry/make_backend.h"
#include "conformance/case/case.h"
#include "conformance/case/case_files.h"
#include "conformance/judge/run_case.h"

namespace hlo::conformance {
namespace {

/// The committed cases that the reference itself passes.
std::vector<Case> passing_cases() {
  const std::string root = ASSAY_SOURCE_DIR;
  std::vector<Case> cases = load_all(
      case_files({root + "/spec", root + "/conformance/vectors"}), "*");
  const std::unique_ptr<Backend> reference = make_backend("interpreter:");
  std::erase_if(cases, [&](const Case& c) {
    return run_case(c, *reference).verdict != Verdict::kConforms;
  });
  return cases;
}

/// The first case that tells the mutant from the reference, and how many do;
/// where many do, no more than these are counted.
struct Catch {
  static constexpr int64_t kMany = 10;

  std::string first;
  int64_t cases = 0;
};

Catch find_catch(const std::string& mutant, const std::vector<Case>& cases) {
  const std::unique_ptr<Backend> backend = make_backend("mutant:" + mutant);
  Catch found;
  for (const Case& c : cases) {
    const Verdict verdict = run_case(c, *backend).verdict;
    // What is refused tells nothing of a wrong value.
    if (verdict == Verdict::kRejectedWrongly) continue;
    if (!is_failure(verdict) && !is_broken(verdict)) continue;
    if (found.cases++ == 0) found.first = c.id;
    if (found.cases == Catch::kMany) break;
  }
  return found;
}

TEST(Mutants, AreAllCaught) {
  const std::vector<Case> cases = passing_cases();
  ASSERT_FALSE(cases.empty());
  fmt::print("{:<20} {:<58} {:>5}  {}\n", "mutant", "what it does wrong",
             "cases", "the first case that tells");
  for (const std::string& mutant : known_mutants()) {
    const Catch found = find_catch(mutant, cases);
    fmt::print("{:<20} {:<58} {:>5}  {}\n", mutant, describe_mutant(mutant),
               found.cases, found.first);
    EXPECT_GT(found.cases, 0) << mutant << " is not caught";
  }
}

TEST(Mutants, TakeArraysWithSizesAtRunTime) {
  const std::vector<Case> cases =
      load_all(case_files({std::string(ASSAY_SOURCE_DIR) +
                           "/conformance/vectors/dynamic_sizes.jsonl"}),
               "*");
  ASSERT_FALSE(cases.empty());
  for (const std::string& mutant : known_mutants()) {
    const std::unique_ptr<Backend> backend = make_backend("mutant:" + mutant);
    for (const Case& c : cases) {
      EXPECT_NE(run_case(c, *backend).verdict, Verdict::kRejectedWrongly)
          << mutant << ' ' << c.id;
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
