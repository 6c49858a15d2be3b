#include "conformance/judge/collective_calls.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kAdd =
    "add { a = f32[] parameter(0)\nb = f32[] parameter(1)\n"
    "ROOT c = f32[] add(a, b) }\n";

/// A module of two groups of two devices, and what device i brings: {i + 1}.
Module module_of_text(const std::string& instructions) {
  return verified_module("HloModule m, replica_count=4\n" + std::string(kAdd) +
                         "ENTRY e {\nx = f32[1] parameter(0)\n" + instructions +
                         "\n}");
}

Literal number(float value) {
  return text::parse_literal_with_shape("f32[1] {" + std::to_string(value) +
                                        "}");
}

std::vector<CollectiveCall> calls_of(const Module& module) {
  CollectiveCalls gathered;
  std::vector<CollectiveCall> calls;
  EvaluatorOptions options;
  options.meeting_observer = [&](const Meeting& meeting) {
    if (auto call = gathered.add(meeting)) calls.push_back(*std::move(call));
  };
  evaluate_devices(module, {{number(1)}, {number(2)}, {number(3)}, {number(4)}},
                   options);
  while (auto call = gathered.next()) calls.push_back(*std::move(call));
  return calls;
}

constexpr const char* kGroups =
    "ROOT r = f32[1] all-reduce(x), replica_groups={{0,1},{2,3}}, to_apply=add";

Verdict verdict(const CollectiveCall& call, const std::vector<float>& values) {
  std::vector<Literal> leaves;
  for (const float value : values) leaves.push_back(number(value));
  const auto module = module_of(call);
  return judge_call(call, *module, leaves, Profile()).verdict;
}

TEST(CollectiveCalls, AreOneForAllGroups) {
  const Module module = module_of_text(kGroups);
  const std::vector<CollectiveCall> calls = calls_of(module);
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].operands.size(), 4U);
  EXPECT_EQ(verdict(calls[0], {3, 3, 7, 7}), Verdict::kConforms);
  EXPECT_EQ(verdict(calls[0], {3, 3, 7, 10}), Verdict::kDiffers);
  EXPECT_EQ(verdict(calls[0], {10, 10, 10, 10}), Verdict::kDiffers);
}

TEST(CollectiveCalls, KeepTheTurnsOfALoopApart) {
  const Module module = module_of_text(
      "y = f32[1] all-reduce(x), replica_groups={{0,1},{2,3}}, to_apply=add\n"
      "ROOT r = f32[1] all-reduce(y), replica_groups={{0,2},{1,3}}, "
      "to_apply=add");
  const std::vector<CollectiveCall> calls = calls_of(module);
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(verdict(calls[0], {3, 3, 7, 7}), Verdict::kConforms);
  EXPECT_EQ(verdict(calls[1], {10, 10, 10, 10}), Verdict::kConforms);
  EXPECT_EQ(verdict(calls[1], {3, 3, 7, 7}), Verdict::kDiffers);
}

// A group may come to its second turn before another has come to its first.
TEST(CollectiveCalls, PutTheSameTurnsOfGroupsTogether) {
  const Module module = module_of_text(kGroups);
  CollectiveCalls gathered;
  const auto add = [&](const std::vector<int64_t>& devices, float value) {
    Meeting meeting;
    meeting.collective = module.entry->root;
    meeting.grid.replicas = 4;
    meeting.devices = devices;
    meeting.operands = {{number(value)}, {number(value)}};
    return gathered.add(meeting);
  };
  EXPECT_FALSE(add({0, 1}, 1));
  EXPECT_FALSE(add({0, 1}, 2));
  const auto first = add({2, 3}, 3);
  const auto second = add({2, 3}, 4);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->operands.at(0)[0].at(0), number(1).at(0));
  EXPECT_EQ(first->operands.at(2)[0].at(0), number(3).at(0));
  EXPECT_EQ(second->operands.at(1)[0].at(0), number(2).at(0));
  EXPECT_EQ(second->operands.at(3)[0].at(0), number(4).at(0));
  add({0, 1}, 5);
  add({0, 1}, 6);
  EXPECT_EQ(gathered.next()->operands.at(0)[0].at(0), number(5).at(0));
}

TEST(CollectiveCalls, AreJudgedWhereSomeDevicesStayAway) {
  const Module module = verified_module(
      "HloModule m, replica_count=4\n" + std::string(kAdd) +
      "gathers { y = f32[1] parameter(0)\n"
      "ROOT r = f32[1] all-reduce(y), replica_groups={{0,1},{2,3}}, "
      "to_apply=add }\n"
      "stays { y = f32[1] parameter(0)\nROOT r = f32[1] negate(y) }\n"
      "ENTRY e {\nx = f32[1] parameter(0)\ni = u32[] replica-id()\n"
      "two = u32[] constant(2)\np = pred[] compare(i, two), direction=LT\n"
      "ROOT r = f32[1] conditional(p, x, x), true_computation=gathers, "
      "false_computation=stays\n}");
  const std::vector<CollectiveCall> calls = calls_of(module);
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].operands.size(), 2U);
  // Those that stay away bring 1 and 2, and what they get is not judged.
  EXPECT_EQ(arguments_of(calls[0])[2][0].at(0), number(1).at(0));
  EXPECT_EQ(verdict(calls[0], {3, 3, 0, 0}), Verdict::kConforms);
  EXPECT_EQ(verdict(calls[0], {6, 6, 6, 6}), Verdict::kDiffers);
}

TEST(CollectiveCalls, RunAStartWithItsDone) {
  const Module module = module_of_text(
      "s = f32[1] all-reduce-start(x), replica_groups={{0,1},{2,3}}, "
      "to_apply=add\nROOT r = f32[1] all-reduce-done(s)");
  const std::vector<CollectiveCall> calls = calls_of(module);
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(module_of(calls[0])->entry->root->op->name, "all-reduce-done");
  EXPECT_EQ(verdict(calls[0], {3, 3, 7, 7}), Verdict::kConforms);
  EXPECT_EQ(verdict(calls[0], {3, 7, 3, 7}), Verdict::kDiffers);
}

TEST(CollectiveCalls, DoNotWaitForEver) {
  std::string text;
  std::string last = "x";
  for (int i = 0; i < 20; ++i) {
    const std::string name = "y" + std::to_string(i);
    text += name + " = f32[1] collective-broadcast(" + last +
            "), replica_groups={{0,1}}\n";
    last = name;
  }
  CollectiveCalls gathered;
  int whole = 0;
  EvaluatorOptions options;
  options.meeting_observer = [&](const Meeting& meeting) {
    whole += gathered.add(meeting).has_value() ? 1 : 0;
  };
  evaluate_devices(
      module_of_text(text + "ROOT r = f32[1] negate(" + last + ")"),
      {{number(1)}, {number(2)}, {number(3)}, {number(4)}}, options);
  EXPECT_EQ(whole, 12);
}

}  // namespace
}  // namespace hlo::conformance
