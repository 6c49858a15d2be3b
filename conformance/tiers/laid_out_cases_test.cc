#include "conformance/tiers/laid_out_cases.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "backends/registry/make_backend.h"
#include "conformance/case/case_files.h"
#include "conformance/judge/run_case.h"

namespace hlo::conformance {
namespace {

constexpr int64_t kCount = 400;

const std::vector<Case>& suite() {
  const std::string root = ASSAY_SOURCE_DIR;
  static const std::vector<Case> cases =
      load_all(case_files({root + "/conformance/vectors"}), "*");
  return cases;
}

bool conforms(const Case& c, Backend& backend) {
  const Verdict verdict = run_case(c, backend, {.raw = true}).verdict;
  return verdict == Verdict::kConforms || verdict == Verdict::kUnjudged;
}

TEST(LaidOutCases, AreThoseOfTheSuiteInOtherLayouts) {
  const std::vector<Case>& cases = suite();
  const std::vector<Case> drawn = laid_out_cases(cases, 1, kCount);
  ASSERT_EQ(std::ssize(drawn), kCount);
  const auto backend = make_backend("tpu:");
  int64_t tiled = 0;
  std::set<std::string> operations;
  for (const Case& c : drawn) {
    EXPECT_TRUE(conforms(c, *backend)) << c.id << "\n" << c.hlo;
    tiled += c.hlo.find(":T(") == std::string::npos ? 0 : 1;
    operations.insert(c.id.substr(0, c.id.find('/')));
  }
  EXPECT_GT(tiled, kCount / 4);
  EXPECT_GT(std::ssize(operations), 60);
  const std::vector<Case> again = laid_out_cases(cases, 1, 1);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_NE(laid_out_cases(cases, 2, 1).at(0).id, again[0].id);
}

// Faults that layouts without tiles do not show.
TEST(LaidOutCases, CatchBrokenMachines) {
  const std::vector<Case> drawn = laid_out_cases(suite(), 1, kCount);
  for (const std::string fault :
       {"order-ignored", "swapped-second-tile", "mask-too-long",
        "result-as-it-lies", "unsigned-wide-slots"}) {
    const auto broken = make_backend("tpu-mutant:" + fault);
    bool is_caught = false;
    for (const Case& c : drawn) {
      if (!conforms(c, *broken)) {
        is_caught = true;
        break;
      }
    }
    EXPECT_TRUE(is_caught) << fault;
  }
}

TEST(LaidOutCases, LeaveOutWhatMustBeRefused) {
  int64_t refused = 0;
  for (const Case& c : suite()) {
    if (c.expect.empty() || !std::holds_alternative<RejectedSet>(c.expect[0])) {
      continue;
    }
    EXPECT_FALSE(laid_out_again(c, 1)) << c.id;
    ++refused;
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace hlo::conformance
