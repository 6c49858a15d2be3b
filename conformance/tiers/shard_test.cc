#include "conformance/tiers/shard.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

/// Cases that cost so much.
std::vector<Case> cases_of(const std::vector<size_t>& costs) {
  std::vector<Case> cases(costs.size());
  for (size_t i = 0; i < costs.size(); ++i) {
    cases[i].hlo = std::string(costs[i] - 1, 'x');
  }
  return cases;
}

using Numbers = std::vector<size_t>;

TEST(Shards, GetTheLongestFirstWhereTheLeastIs) {
  const std::vector<Case> cases = cases_of({2, 9, 3, 5, 4, 5});
  EXPECT_EQ(cost(cases[1]), 9);
  // By cost 1 3 5 4 2 0: 9 | 5 | 5, then 4 to shard 1, 3 to shard 2, 2 there.
  EXPECT_EQ(cases_of_shard(cases, {.index = 0, .count = 3}), (Numbers{1}));
  EXPECT_EQ(cases_of_shard(cases, {.index = 1, .count = 3}), (Numbers{3, 4}));
  EXPECT_EQ(cases_of_shard(cases, {.index = 2, .count = 3}),
            (Numbers{0, 2, 5}));
}

TEST(Shards, StayEmptyWhereThereAreMoreThanCases) {
  const std::vector<Case> cases = cases_of({1, 1});
  constexpr uint32_t kMany = UINT32_MAX;
  EXPECT_EQ(cases_of_shard(cases, {.index = 1, .count = kMany}), (Numbers{1}));
  EXPECT_EQ(cases_of_shard(cases, {.index = 2, .count = kMany}), Numbers());
  EXPECT_EQ(cases_of_shard({}, {.index = 0, .count = 2}), Numbers());
}

TEST(Shards, HaveANumberBelowTheirCount) {
  EXPECT_EQ(parse_shard("3/16").index, 3U);
  EXPECT_EQ(parse_shard("3/16").count, 16U);
  EXPECT_EQ(parse_shard("").count, 1U);
  for (const char* wrong :
       {"/", "3", "3/", "/3", "3/3", "-1/3", "1/ 3", "1/3/", "1/4294967296"}) {
    EXPECT_THROW(parse_shard(wrong), Error) << wrong;
  }
}

/// What the shard of the environment is: "1/3 A and B".
std::string found(const std::map<std::string, std::string>& variables) {
  const Shard shard = shard_of_environment([&](const char* name) {
    const auto at = variables.find(name);
    return at == variables.end() ? nullptr : at->second.c_str();
  });
  return std::to_string(shard.index) + "/" + std::to_string(shard.count) + " " +
         shard.source;
}

TEST(Shards, AreFoundWhereLaunchersAgree) {
  EXPECT_EQ(found({}), "0/1 --shard");
  EXPECT_EQ(found({{"TEST_SHARD_INDEX", "1"},
                   {"TEST_TOTAL_SHARDS", "3"},
                   {"GTEST_SHARD_INDEX", "1"},
                   {"GTEST_TOTAL_SHARDS", "3"}}),
            "1/3 TEST_SHARD_INDEX and TEST_TOTAL_SHARDS");
  EXPECT_EQ(found({{"TEST_TOTAL_SHARDS", "0"}, {"CI_NODE_TOTAL", "1"}}),
            "0/1 --shard");
  EXPECT_THROW(found({{"PMI_RANK", "1"},
                      {"PMI_SIZE", "3"},
                      {"OMPI_COMM_WORLD_RANK", "2"},
                      {"OMPI_COMM_WORLD_SIZE", "3"}}),
               Error);
}

}  // namespace
}  // namespace hlo::conformance
