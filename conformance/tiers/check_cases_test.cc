#include "conformance/tiers/check_cases.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace hlo::conformance {
namespace {

using Ids = std::map<int64_t, std::string>;  // by position in the whole run

/// Adds the cases of a shard of the tier full, each of which must be new.
void add(Ids& ids, int64_t count, const std::string& shard,
         const std::string& filter = "*") {
  const auto cases = cases_of_tier("full", {}, filter,
                                   {.seed = 3, .count = count, .shard = shard});
  int64_t number = 0;
  for (std::vector<Case> part; !(part = cases->next()).empty();) {
    for (const Case& c : part) {
      const int64_t position = cases->position(number++);
      EXPECT_TRUE(ids.emplace(position, c.id).second) << position;
    }
  }
  EXPECT_EQ(cases->count(), number);
}

Ids whole(int64_t count, const std::string& filter = "*") {
  Ids ids;
  add(ids, count, "", filter);
  return ids;
}

Ids shards(int64_t count, int of, const std::string& filter = "*") {
  Ids ids;
  for (int i = 0; i < of; ++i) {
    add(ids, count, std::to_string(i) + "/" + std::to_string(of), filter);
  }
  return ids;
}

TEST(DrawnCases, OfShardsAreThoseOfTheWhole) {
  for (const int64_t count : {1, 255, 256, 257, 600}) {
    const Ids all = whole(count);
    EXPECT_EQ(std::ssize(all), count);
    EXPECT_EQ(all.rbegin()->first, count - 1);
    EXPECT_EQ(shards(count, 3), all) << count;
  }
  EXPECT_EQ(shards(600, 2, "add/*:multiply/*"), whole(600, "add/*:multiply/*"));
}

TEST(DrawnCases, AreTheFirstOnesOfALongerRun) {
  Ids longer = whole(600);
  longer.erase(longer.lower_bound(300), longer.end());
  EXPECT_EQ(whole(300), longer);
}

TEST(DrawnCases, HaveTheSameNameInEveryShard) {
  const auto manifest = [](const std::string& shard, int64_t count) {
    return cases_of_tier("full", {}, "*", {.count = count, .shard = shard})
        ->manifest();
  };
  EXPECT_EQ(manifest("1/3", 9), manifest("", 9));
  EXPECT_NE(manifest("", 8), manifest("", 9));
}

TEST(DrawnCases, HavePositionsInTheLargestRun) {
  constexpr int64_t kMost = (int64_t{1} << 31U) - 1;
  const auto last =
      cases_of_tier("full", {}, "*", {.count = kMost, .shard = "1/2"});
  EXPECT_EQ(last->position(last->count() - 1), kMost - 1);
  const auto none = cases_of_tier(
      "full", {}, "*", {.count = 9, .shard = "4294967294/4294967295"});
  EXPECT_EQ(none->count(), 0);
  EXPECT_TRUE(none->next().empty());
  EXPECT_EQ(none->whole(), 9);
}

// As a report says how one is run again.
TEST(CheckCases, FindOneInDrawnLayoutsByItsId) {
  Drawing drawing;
  drawing.seed = 3;
  const std::string id = "add/f32/values.layouts-3";
  const auto cases = cases_of_tier("layouts", {}, id, drawing)->next();
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].id, id);
}

}  // namespace
}  // namespace hlo::conformance
