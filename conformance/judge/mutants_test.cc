#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/mutant/mutant_backend.h"
#include "backends/registry/make_backend.h"
#include "conformance/case/case.h"
#include "conformance/case/case_files.h"
#include "conformance/judge/run_case.h"
#include "conformance/tiers/check_cases.h"

namespace hlo::conformance {
namespace {

/// "gather" of gather/... and of covering-movement/f16/gather_packed_...
std::string operation_of(const std::string& id) {
  if (!id.starts_with("covering")) return id.substr(0, id.find('/'));
  const std::string name = id.substr(id.rfind('/') + 1);
  return name.substr(0, name.find('_'));
}

/// All committed cases, those of the tier smoke first, and of these the first
/// ones of all operations, the second ones, ...: a mutant of one operation is
/// caught after few of the others.
std::vector<Case> all_cases() {
  std::vector<Case> cases = cases_of_tier("core", {}, "", {})->next();
  std::map<std::string, size_t> ranks;  // of the ids of smoke
  std::map<std::string, size_t> counts;
  for (const Case& c : cases_of_tier("smoke", {}, "", {})->next()) {
    ranks[c.id] = counts[operation_of(c.id)]++;
  }
  std::ranges::stable_sort(cases, {}, [&](const Case& c) {
    const auto rank = ranks.find(c.id);
    return rank == ranks.end() ? cases.size() : rank->second;
  });
  return cases;
}

/// What is refused tells nothing of a wrong value.
bool tells(Verdict verdict) {
  return verdict != Verdict::kRejectedWrongly &&
         (is_failure(verdict) || is_broken(verdict));
}

/// The first case that tells the mutant from the reference; "" without one.
std::string find_catch(const std::string& mutant,
                       const std::vector<Case>& cases) {
  const std::unique_ptr<Backend> backend = make_backend("mutant:" + mutant);
  const std::unique_ptr<Backend> reference = make_backend("interpreter:");
  for (const Case& c : cases) {
    if (tells(run_case(c, *backend).verdict) &&
        run_case(c, *reference).verdict == Verdict::kConforms) {
      return c.id;
    }
  }
  return "";
}

TEST(Mutants, AreAllCaught) {
  const std::vector<Case> cases = all_cases();
  ASSERT_FALSE(cases.empty());
  fmt::print("{:<20} {:<58} {}\n", "mutant", "what it does wrong",
             "the first case that tells");
  for (const std::string& mutant : known_mutants()) {
    const std::string found = find_catch(mutant, cases);
    fmt::print("{:<20} {:<58} {}\n", mutant, describe_mutant(mutant), found);
    EXPECT_NE(found, "") << mutant << " is not caught";
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
