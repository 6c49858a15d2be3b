#include "conformance/random/testing/changed_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "conformance/case/case_files.h"
#include "conformance/case/testing/takes_case.h"
#include "conformance/random/draw.h"
#include "conformance/random/testing/run_program.h"
#include "interpreter/error.h"
#include "interpreter/text/parser.h"

// Each program of the vectors with one thing changed: it must be refused by a
// rule that has a label, or be evaluated, to the same bits by plans and by
// definitions. Whatever else happens is a rule that nothing checks.

namespace hlo::conformance {
namespace {

// By night there are more of them; 0: all.
int64_t changes_of_each_case() {
  const char* count = std::getenv("ASSAY_PROGRAM_CHANGES");
  return count == nullptr ? 6 : std::strtoll(count, nullptr, 10);
}

// Programs that take more are left out, so that the test ends: by plans, and by
// definitions.
constexpr int64_t kMostWork = 10'000'000;
constexpr int64_t kMostWorkOfDefinitions = 100'000'000;
constexpr int64_t kMostDevices = 16;

struct ChangeTally {
  int64_t refused = 0;
  int64_t evaluated = 0;
  int64_t stopped = 0;  // with an error, while it ran
  int64_t large = 0;
  std::map<std::string, int64_t> rules;
};

// What is wrong with a changed program; nothing where it is refused or
// evaluated.
std::string problem(const Module& module, ChangeTally& tally) {
  EvaluatorOptions options;
  options.max_work = kMostWork;
  const ProgramRun fast = run_program(module, /*seed=*/1, options);
  options.max_work = kMostWorkOfDefinitions;
  options.plans = PlanSet::none();
  const ProgramRun defined = run_program(module, /*seed=*/1, options);
  if (fast.rule == "evaluate.work" || defined.rule == "evaluate.work") {
    ++tally.large;
    return "";
  }
  ++(fast.rule.empty() ? tally.evaluated : tally.stopped);
  if (same_bits(fast, defined)) return "";
  return fmt::format("plans and definitions differ: \"{}\", \"{}\"",
                     fast.message, defined.message);
}

std::string problem(ProgramChanger& changer, const std::string& source,
                    int64_t n, std::string& what, ChangeTally& tally) {
  try {
    const Module module = changer.verified(source, n, what);
    if (device_count(module) <= kMostDevices) return problem(module, tally);
    ++tally.large;
  } catch (const Error& error) {
    if (error.rule().empty()) return "has no label";
    ++tally.refused;
    ++tally.rules[error.rule()];
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

// Some cases are rejected as texts.
bool is_readable(const std::string& source) {
  try {
    text::parse(source);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Which changes of the case are tried: others for each case.
std::vector<int64_t> chosen(const Case& c, int64_t count) {
  const int64_t wanted = changes_of_each_case();
  std::vector<int64_t> numbers;
  if (wanted == 0 || wanted >= count) {
    for (int64_t n = 0; n < count; ++n) numbers.push_back(n);
    return numbers;
  }
  uint64_t seed = 0;
  for (const char letter : c.id) {
    seed = seed * 31 + static_cast<unsigned char>(letter);
  }
  Draw draw(seed);
  return draw.distinct(count, wanted);
}

TEST(ChangedProgram, IsRefusedOrEvaluated) {
  const std::string root = ASSAY_SOURCE_DIR;
  ProgramChanger changer;
  ChangeTally tally;
  const char* filter = std::getenv("ASSAY_PROGRAM_FILTER");
  for (const Case& c : load_all(case_files({root + "/conformance/vectors"}),
                                filter == nullptr ? "" : filter)) {
    if (!takes_case(c) || !is_readable(c.hlo)) continue;
    for (const int64_t n : chosen(c, ProgramChanger::count(c.hlo))) {
      std::string what;
      const std::string wrong = problem(changer, c.hlo, n, what, tally);
      EXPECT_EQ(wrong, "") << c.id << ", change " << n << ": " << what << "\n"
                           << c.hlo;
    }
  }
  fmt::print(
      "{} refused by {} rules, {} evaluated, {} ended by an error, {} "
      "too large\n",
      tally.refused, tally.rules.size(), tally.evaluated, tally.stopped,
      tally.large);
  EXPECT_GT(tally.refused, 1000);
  EXPECT_GT(tally.evaluated, 1000);
}

}  // namespace
}  // namespace hlo::conformance
