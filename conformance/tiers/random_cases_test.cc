#include "conformance/tiers/random_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "backends/registry/make_backend.h"
#include "conformance/judge/run_case.h"

namespace hlo::conformance {
namespace {

using Ids = std::vector<std::string>;

Ids ids_of(const std::vector<Case>& cases) {
  Ids ids;
  for (const Case& c : cases) ids.push_back(c.id);
  return ids;
}

TEST(RandomCases, AreThoseOfOneProgramAfterTheOther) {
  Ids ids;
  for (uint32_t number = 7; number < 40; ++number) {
    std::ranges::copy(ids_of(cases_of_program(3, number)),
                      std::back_inserter(ids));
  }
  EXPECT_GT(ids.size(), 100U);
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
  ids.resize(99);
  EXPECT_EQ(ids_of(cases_from_program(3, 7, 99)), ids);
}

TEST(RandomCases, AreTheSameAndConform) {
  const auto backend = make_backend("interpreter:");
  int64_t tiled = 0;
  int64_t judged = 0;
  for (const Case& c : cases_from_program(1, 0, 500)) {
    tiled += c.hlo.find(":T(") == std::string::npos ? 0 : 1;
    const Verdict verdict = run_case(c, *backend).verdict;
    EXPECT_TRUE(verdict == Verdict::kConforms || verdict == Verdict::kUnjudged)
        << c.id << "\n"
        << c.hlo;
    judged += verdict == Verdict::kConforms ? 1 : 0;
  }
  EXPECT_GT(tiled, 50);
  EXPECT_GT(judged, 450);
  EXPECT_EQ(print_case(cases_of_program(1, 7).at(0)),
            print_case(cases_of_program(1, 7).at(0)));
}

}  // namespace
}  // namespace hlo::conformance
