#include "conformance/expect/collective_sets.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/expect/expect_module.h"
#include "conformance/judge/judge.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kSum = R"(
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  x = f32[] parameter(0)
)";

Verdict verdict_of_sum(std::string_view terms, std::string_view results) {
  const Module module =
      verified_module("HloModule m, replica_count=3" + std::string(kSum) +
                      "ROOT r = f32[] all-reduce(x), to_apply=sum }");
  std::vector<std::vector<Literal>> arguments;
  const Literal given = text::parse_literal_with_shape(terms);
  std::vector<Literal> observed;
  const Literal found = text::parse_literal_with_shape(results);
  for (int64_t i = 0; i < 3; ++i) {
    arguments.push_back({Literal::of(given.at(i))});
    observed.push_back(Literal::of(found.at(i)));
  }
  return judge(expect_devices(module, std::move(arguments), &observed),
               observed)
      .verdict;
}

TEST(CollectiveSets, LetsDevicesAddInAnyOrder) {
  constexpr std::string_view kTerms = "f32[3] {16777216, 1, 1}";
  EXPECT_EQ(verdict_of_sum(kTerms, "f32[3] {16777218, 16777218, 16777218}"),
            Verdict::kConforms);
  EXPECT_EQ(verdict_of_sum(kTerms, "f32[3] {16777216, 16777216, 16777216}"),
            Verdict::kConforms);
  EXPECT_EQ(verdict_of_sum(kTerms, "f32[3] {16777218, 16777218, 16777210}"),
            Verdict::kDiffers);
}

/// The sets of a program of six devices, which bring 2^24, 1, 1, 2^24, 1 and 1.
std::vector<Expectation> sets_of_six(const std::string& instructions) {
  std::vector<std::vector<Literal>> arguments;
  for (const char* x : {"16777216", "1", "1", "16777216", "1", "1"}) {
    arguments.push_back(
        {text::parse_literal_with_shape(std::string("f32[] ") + x)});
  }
  return expect_devices(verified_module("HloModule m, replica_count=6" +
                                        std::string(kSum) + instructions + "}"),
                        std::move(arguments));
}

/// A sign for each leaf: ? if it is unspecified, 1 if it has one value, or *.
std::string kinds(const std::vector<Expectation>& sets) {
  std::string text;
  for (const Expectation& set : sets) {
    text += std::holds_alternative<UnspecifiedSet>(set) ? '?'
            : is_single(set)                            ? '1'
                                                        : '*';
  }
  return text;
}

constexpr const char* kThirds =
    "f32[] all-reduce(x), replica_groups={{0,1,2},{3,4,5}}, to_apply=sum\n";

TEST(CollectiveSets, KnowsWhatEachOfSeveralGroupsAdds) {
  EXPECT_EQ(kinds(sets_of_six(std::string("ROOT r = ") + kThirds)), "******");
}

// What the computation gives that is called twice is what its last call gave.
TEST(CollectiveSets, ForgetsWhatAGroupAddedBefore) {
  const std::string twice =
      "c = f32[] call(x), to_apply=all\nROOT d = f32[] call(x), to_apply=all\n"
      "}\nall { p = f32[] parameter(0)\nROOT n = ";
  std::string sum = kThirds;
  sum.replace(sum.find("(x)"), 3, "(p)");
  EXPECT_EQ(sets_of_six(twice + sum).size(), 6U);
}

TEST(CollectiveSets, KnowsWhatStandsBesideAFreeSum) {
  const std::string sum = std::string("s = ") + kThirds;
  EXPECT_EQ(kinds(sets_of_six(sum + "i = u32[] replica-id()\n"
                                    "ROOT t = (f32[], u32[]) tuple(s, i)\n")),
            "*1*1*1*1*1*1");
  EXPECT_EQ(kinds(sets_of_six(sum + "b = f32[1] reshape(x)\n"
                                    "g = f32[6] all-gather(b), dimensions={0}\n"
                                    "ROOT t = (f32[], f32[6]) tuple(s, g)\n")),
            "*1*1*1*1*1*1");
  EXPECT_EQ(kinds(sets_of_six(sum + "c = f32[] call(x), to_apply=same\n"
                                    "ROOT t = (f32[], f32[]) tuple(s, c)\n}\n"
                                    "same { p = f32[] parameter(0)\n"
                                    "ROOT n = f32[] negate(p)\n")),
            "*?*?*?*?*?*?");
}

// What an operation between devices gives is known where it ends, if it was
// where it started, and not before.
TEST(CollectiveSets, KnowsWhatStartedBesideAFreeSum) {
  const std::string sum = std::string("s = ") + kThirds;
  const auto ended = [&](const std::string& operand) {
    return kinds(sets_of_six(
        sum + "b = f32[1] reshape(" + operand +
        ")\ng = (f32[1], f32[6]) all-gather-start(b), dimensions={0}\n"
        "d = f32[6] all-gather-done(g)\n"
        "ROOT t = (f32[], f32[6]) tuple(s, d)\n"));
  };
  EXPECT_EQ(ended("x"), "*1*1*1*1*1*1");
  EXPECT_EQ(ended("s"), "*?*?*?*?*?*?");
  EXPECT_EQ(
      kinds(sets_of_six(sum + "g = f32[] all-reduce-start(x), to_apply=sum, "
                              "replica_groups={{0,1,2},{3,4,5}}\n"
                              "d = f32[] all-reduce-done(g)\n"
                              "ROOT t = (f32[], f32[]) tuple(s, d)\n")),
      "************");
}

TEST(CollectiveSets, DoesNotKnowWhatFollowsFromAFreeSum) {
  const std::string sum = std::string("s = ") + kThirds;
  EXPECT_EQ(kinds(sets_of_six(sum + "ROOT r = f32[] all-reduce(s), "
                                    "replica_groups={{0,3},{1,4},{2,5}}, "
                                    "to_apply=sum\n")),
            "??????");
  EXPECT_EQ(kinds(sets_of_six(sum + "b = f32[1] reshape(s)\nROOT g = f32[6] "
                                    "all-gather(b), dimensions={0}\n")),
            "??????");
  EXPECT_EQ(
      kinds(sets_of_six(sum + "ROOT p = f32[] collective-permute(s), "
                              "source_target_pairs={{0,5},{1,4},{2,3}}\n")),
      "??????");
}

// 2^24, 1, 1, 2^24, 1 and 1 are 2^25 + 4, in f32 by some orders 2^25, and no
// number of f16.
TEST(CollectiveSets, JudgesASumOfDevicesInTheTypeOfTheResult) {
  const auto verdict = [](const std::string& type, const std::string& value) {
    const std::vector<Literal> observed(
        6, text::parse_literal_with_shape(type + "[] " + value));
    return judge(sets_of_six("ROOT r = " + type +
                             "[] all-reduce(x), to_apply=sum\n"),
                 observed)
        .verdict;
  };
  EXPECT_EQ(verdict("f64", "33554436"), Verdict::kConforms);
  EXPECT_EQ(verdict("f64", "33554432"), Verdict::kConforms);
  EXPECT_EQ(verdict("f64", "33554000"), Verdict::kDiffers);
  EXPECT_EQ(verdict("f16", "inf"), Verdict::kConforms);
  EXPECT_EQ(verdict("f16", "65504"), Verdict::kDiffers);
  EXPECT_EQ(verdict("f32", "33554436"), Verdict::kConforms);
}

// Each member's number is a tie of bf16.
TEST(CollectiveSets, LetsDevicesAddInTheTypeOfTheRegion) {
  const Module module = verified_module(
      "HloModule m, replica_count=2\n"
      "sum { a = bf16[] parameter(0)\nb = bf16[] parameter(1)\n"
      "ROOT s = bf16[] add(a, b) }\n"
      "ENTRY main { x = f32[] parameter(0)\n"
      "ROOT r = f32[] all-reduce(x), to_apply=sum }");
  const Literal x = text::parse_literal_with_shape("f32[] 1.00390625");
  const std::vector<Expectation> sets = expect_devices(module, {{x}, {x}});
  const auto verdict = [&](const std::string& value) {
    const Literal y = text::parse_literal_with_shape("f32[] " + value);
    return judge(sets, std::vector<Literal>{y, y}).verdict;
  };
  EXPECT_EQ(verdict("2"), Verdict::kConforms);
  EXPECT_EQ(verdict("2.0078125"), Verdict::kConforms);
  EXPECT_EQ(verdict("2.1"), Verdict::kDiffers);
}

TEST(CollectiveSets, LetsDevicesAddIntegersInOneWay) {
  constexpr std::string_view kTerms = "f32[3] {1, 2, 3}";
  EXPECT_EQ(verdict_of_sum(kTerms, "f32[3] {6, 6, 6}"), Verdict::kConforms);
  EXPECT_EQ(verdict_of_sum(kTerms, "f32[3] {6, 6.0000005, 6}"),
            Verdict::kDiffers);
}

}  // namespace
}  // namespace hlo::conformance
