#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "conformance/certify/certify.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

constexpr const char* kAdd =
    "add { a = f32[] parameter(0)\nb = f32[] parameter(1)\n"
    "ROOT c = f32[] add(a, b) }\n";

Module program(int devices, const std::string& instructions,
               const std::string& computations = kAdd) {
  return verified_module(
      "HloModule m, replica_count=" + std::to_string(devices) + "\n" +
      computations + "ENTRY e {\nx = f32[2] parameter(0)\n" + instructions +
      "\n}");
}

/// {low to high, low + 10 to high + 10}
SetTree between(float low, float high) {
  SetTree array = SetTree::known(
      text::parse_literal_with_shape("f32[2] {" + std::to_string(low) + ", " +
                                     std::to_string(low + 10) + "}"));
  for (const float shift : {0.0F, 10.0F}) {
    const auto place = [&](float value) {
      return ValueSet::of(std::bit_cast<uint32_t>(value + shift),
                          ElementType::kF32)
          .low();
    };
    array.sets.push_back(ValueSet::range(place(low), place(high)));
  }
  return array;
}

bool admits(const SetTree& array, int64_t i, float value) {
  return array.at(i).contains(std::bit_cast<uint32_t>(value),
                              ElementType::kF32);
}

std::vector<SetTree> of_two(const std::string& instructions) {
  return certify_devices(program(2, instructions),
                         {{between(1, 2)}, {between(5, 5)}});
}

TEST(CertifyDevices, AddWhatMembersMayBring) {
  for (const SetTree& sum :
       of_two("ROOT r = f32[2] all-reduce(x), replica_groups={{0,1}}, "
              "to_apply=add")) {
    EXPECT_TRUE(admits(sum, 0, 6));
    EXPECT_TRUE(admits(sum, 0, 7));
    EXPECT_FALSE(admits(sum, 0, 5.999F));
    EXPECT_FALSE(admits(sum, 0, 7.001F));
    EXPECT_TRUE(admits(sum, 1, 26.5F));
  }
}

TEST(CertifyDevices, AskForTheOrdersOfASum) {
  const std::vector<SetTree> sums = certify_devices(
      program(3,
              "ROOT r = f32[2] all-reduce(x), replica_groups={{0,1,2}}, "
              "to_apply=add"),
      {{between(1e8F, 1e8F)}, {between(-1e8F, -1e8F)}, {between(1, 1)}});
  EXPECT_TRUE(admits(sums[2], 0, 1));
  EXPECT_TRUE(admits(sums[2], 0, 0));
  EXPECT_FALSE(admits(sums[2], 0, 100));
}

TEST(CertifyDevices, ScatterByTheOrderOfTheGroup) {
  const std::vector<SetTree> parts = of_two(
      "ROOT r = f32[1] reduce-scatter(x), replica_groups={{1,0}}, "
      "dimensions={0}, to_apply=add");
  EXPECT_TRUE(admits(parts[1], 0, 6.5F));
  EXPECT_FALSE(admits(parts[1], 0, 26.5F));
  EXPECT_TRUE(admits(parts[0], 0, 26.5F));
}

TEST(CertifyDevices, HandSetsOnAndZerosToOthers) {
  const std::vector<SetTree> moved = of_two(
      "ROOT r = f32[2] collective-permute(x), source_target_pairs={{0,1}}");
  EXPECT_TRUE(moved[0].is_known());
  EXPECT_TRUE(admits(moved[0], 0, 0));
  EXPECT_TRUE(admits(moved[1], 1, 11.5F));
  EXPECT_FALSE(admits(moved[1], 1, 1.5F));
  const std::vector<SetTree> gathered = of_two(
      "s = (f32[2], f32[4]) all-gather-start(x), replica_groups={{0,1}}, "
      "dimensions={0}\nROOT r = f32[4] all-gather-done(s)");
  EXPECT_TRUE(admits(gathered[1], 1, 11.5F));
  EXPECT_TRUE(gathered[1].at(2).is_single());
  EXPECT_TRUE(admits(gathered[1], 3, 15));
}

TEST(CertifyDevices, GoOnWhereReplicasDiffer) {
  const std::vector<SetTree> results = of_two(
      "i = u32[] replica-id()\nf = f32[] convert(i)\n"
      "b = f32[2] broadcast(f), dimensions={}\n"
      "y = f32[2] add(x, b)\nROOT r = f32[2] collective-broadcast(y), "
      "replica_groups={{1,0}}");
  EXPECT_TRUE(admits(results[0], 0, 6));
  EXPECT_TRUE(results[0].is_known());
}

void expect_refused(const Module& module, const std::string& rule) {
  try {
    certify_devices(module, {{between(1, 2)}});
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), rule) << error.what();
  }
}

// Sets of f32 are none of bf16: nothing is said of what is rounded on the way.
TEST(CertifyDevices, SayNothingOfWhatIsRoundedOnTheWay) {
  for (const std::string instructions :
       {"ROOT r = bf16[4] all-gather(x), replica_groups={{0,1}}, "
        "dimensions={0}",
        "s = (f32[2], bf16[4]) all-gather-start(x), replica_groups={{0,1}}, "
        "dimensions={0}\nROOT r = bf16[4] all-gather-done(s)",
        "ROOT r = bf16[1] reduce-scatter(x), replica_groups={{0,1}}, "
        "dimensions={0}, to_apply=add",
        "ROOT r = bf16[2] collective-permute(x), source_target_pairs={{0,1}}",
        "ROOT r = bf16[2] collective-broadcast(x), replica_groups={{0,1}}"}) {
    for (const SetTree& result : of_two(instructions)) {
      EXPECT_EQ(result.value.type(), ElementType::kBF16) << instructions;
      EXPECT_TRUE(result.is_unknown()) << instructions;
    }
  }
}

// One backend goes one way and one the other: then their groups differ.
TEST(CertifyDevices, RefuseCollectivesThatMayRun) {
  const std::string branches =
      "meet { y = f32[2] parameter(0)\nROOT r = f32[2] collective-permute(y), "
      "source_target_pairs={{0,1},{1,0}} }\n"
      "stay { y = f32[2] parameter(0)\nROOT r = f32[2] negate(y) }\n";
  const std::string choose =
      "ROOT r = f32[2] conditional(p, x, x), true_computation=meet, "
      "false_computation=stay";
  const std::string undecided =
      "s = f32[1] slice(x), slice={[0:1]}\nc = f32[] reshape(s)\n"
      "t = f32[] constant(1.5)\np = pred[] compare(c, t), direction=LT\n";
  expect_refused(program(2, undecided + choose, branches),
                 "evaluate.undefined");
  const std::string one =
      "i = u32[] replica-id()\nz = u32[] constant(0)\n"
      "p = pred[] compare(i, z), direction=EQ\n";
  expect_refused(program(2, one + choose, branches), "evaluate.deadlock");
}

TEST(CertifyDevices, RefuseMoreDevicesThanThreads) {
  EXPECT_EQ(certify_devices(program(256, "ROOT r = f32[2] negate(x)"),
                            {{between(1, 2)}})
                .size(),
            256U);
  expect_refused(program(257, "ROOT r = f32[2] negate(x)"), "evaluate.devices");
}

}  // namespace
}  // namespace hlo::conformance
