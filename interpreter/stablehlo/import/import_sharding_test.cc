#include <string>

#include "interpreter/devices/devices.h"
#include "interpreter/evaluate.h"
#include "interpreter/stablehlo/import/testing/import_case.h"

namespace hlo::stablehlo {
namespace {

using testing::literal;

/// Runs the program on its devices, all with the same argument; each must give
/// `expected`.
void expect_everywhere(const std::string& program, std::string_view argument,
                       std::string_view expected) {
  const Module module = import_text(program);
  const std::vector<std::vector<Literal>> inputs = {{literal(argument)}};
  const GridResult result = evaluate_devices(module, inputs, {});
  ASSERT_EQ(std::ssize(result.results), module.num_partitions);
  for (const Literal& device : result.results) {
    EXPECT_TRUE(identical(device, literal(expected)))
        << text::print(device) << "\n"
        << text::print(module);
  }
}

/// A program whose body works on shards of s32[4,2].
std::string on_shards(std::string_view mesh, std::string_view in,
                      std::string_view out, std::string_view manual,
                      std::string_view body, std::string_view result) {
  return "module attributes {mhlo.num_partitions = 4 : i32} {\n"
         "  sdy.mesh @mesh = <" +
         std::string(mesh) +
         ">\n"
         "  func.func @main(%x: tensor<4x2xi32>) -> " +
         std::string(result) +
         " {\n    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, " +
         std::string(in) + ">] out_shardings=[<@mesh, " + std::string(out) +
         ">] manual_axes=" + std::string(manual) + " " + std::string(body) +
         " : (tensor<4x2xi32>) -> " + std::string(result) +
         "\n    return %0 : " + std::string(result) + "\n  }\n}\n";
}

constexpr std::string_view kInput = "s32[4,2] {{1, 2}, {3, 4}, {5, 6}, {7, 8}}";

/// Adds the device's id to its shard, whose type is given.
std::string add_id(const std::string& type) {
  return "(%s: " + type + R"() {
      %p = stablehlo.partition_id : tensor<ui32>
      %i = stablehlo.convert %p : (tensor<ui32>) -> tensor<i32>
      %b = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> )" +
         type + R"(
      %r = stablehlo.add %s, %b : )" +
         type + "\n      sdy.return %r : " + type + "\n    }";
}

// Each device has a row.
TEST(ImportShardingTest, ShardsFollowTheDevices) {
  expect_everywhere(
      on_shards(R"(["x"=4])", R"([{"x"}, {}])", R"([{"x"}, {}])", R"({"x"})",
                add_id("tensor<1x2xi32>"), "tensor<4x2xi32>"),
      kInput, "s32[4,2] {{1, 2}, {4, 5}, {7, 8}, {10, 11}}");
}

// Device 3 is the first of the mesh and has the first row.
TEST(ImportShardingTest, DevicesMayStandInAnyOrder) {
  expect_everywhere(on_shards(R"(["x"=4], device_ids=[3, 2, 1, 0])",
                              R"([{"x"}, {}])", R"([{"x"}, {}])", R"({"x"})",
                              add_id("tensor<1x2xi32>"), "tensor<4x2xi32>"),
                    kInput, "s32[4,2] {{4, 5}, {5, 6}, {6, 7}, {7, 8}}");
}

// Devices 0 1 are the first row of the mesh, 2 3 the second; "y" changes
// slowest along the rows of the array: their devices are 0 2 1 3.
TEST(ImportShardingTest, TheFirstAxisOfADimensionIsTheSlowest) {
  expect_everywhere(on_shards(R"(["x"=2, "y"=2])", R"([{"y", "x"}, {}])",
                              R"([{"y", "x"}, {}])", R"({"x", "y"})",
                              add_id("tensor<1x2xi32>"), "tensor<4x2xi32>"),
                    kInput, "s32[4,2] {{1, 2}, {5, 6}, {6, 7}, {10, 11}}");
}

// Both dimensions are cut: the blocks of two rows and one column lie at
// devices 0 1 above 2 3.
TEST(ImportShardingTest, SeveralDimensionsAreCut) {
  expect_everywhere(
      on_shards(R"(["x"=2, "y"=2])", R"([{"x"}, {"y"}])", R"([{"x"}, {"y"}])",
                R"({"x", "y"})", add_id("tensor<2x1xi32>"), "tensor<4x2xi32>"),
      kInput, "s32[4,2] {{1, 3}, {3, 5}, {7, 9}, {9, 11}}");
}

// 1 + 5, 2 + 6; 3 + 7, 4 + 8: the sum over "x", the same on all.
TEST(ImportShardingTest, CollectivesJoinShards) {
  expect_everywhere(
      on_shards(R"(["x"=2, "y"=2])", R"([{"x"}, {}])", "[{}, {}]", R"({"x"})",
                R"((%s: tensor<2x2xi32>) {
      %r = "stablehlo.all_reduce"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %c = stablehlo.add %a, %b : tensor<i32>
        stablehlo.return %c : tensor<i32>
      }) : (tensor<2x2xi32>) -> tensor<2x2xi32>
      sdy.return %r : tensor<2x2xi32>
    })",
                "tensor<2x2xi32>"),
      kInput, "s32[2,2] {{6, 8}, {10, 12}}");
}

// "y" is not manual: it cuts nothing.
TEST(ImportShardingTest, OtherAxesCutNothing) {
  expect_everywhere(
      on_shards(R"(["x"=2, "y"=2])", R"([{"x", "y"}, {"y"}])",
                R"([{"x", ?}p1, {}], replicated={"y"})", R"({"x"})",
                R"((%s: tensor<2x2xi32>) {
      %r = stablehlo.negate %s : tensor<2x2xi32>
      sdy.return %r : tensor<2x2xi32>
    })",
                "tensor<4x2xi32>"),
      kInput, "s32[4,2] {{-1, -2}, {-3, -4}, {-5, -6}, {-7, -8}}");
}

TEST(ImportShardingTest, TheGenericFormIsTheSame) {
  expect_everywhere(
      R"("builtin.module"() <{sym_name = "m"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
  "func.func"() <{function_type = (tensor<2xi32>) -> tensor<2xi32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2xi32>):
    %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}> ({
    ^bb0(%s: tensor<1xi32>):
      %1 = "stablehlo.negate"(%s) : (tensor<1xi32>) -> tensor<1xi32>
      "sdy.return"(%1) : (tensor<1xi32>) -> ()
    }) : (tensor<2xi32>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 2 : i32} : () -> ())",
      "s32[2] {1, 2}", "s32[2] {-1, -2}");
}

TEST(ImportShardingTest, ErrorsStandAtTheOperation) {
  for (const std::string_view in :
       {R"([{"z"}, {}])", R"([{"x"}])", R"([{"x":(1)2}, {}])", R"([{}, {}])",
        R"([{"x"}, {}], unreduced={"x"})", R"([{"x"} {}])"}) {
    try {
      import_text(on_shards(R"(["x"=4])", in, R"([{"x"}, {}])", R"({"x", "z"})",
                            add_id("tensor<1x2xi32>"), "tensor<4x2xi32>"));
      ADD_FAILURE() << in;
    } catch (const Error& error) {
      EXPECT_EQ(error.rule(), "stablehlo.sharding") << in << error.what();
      EXPECT_EQ(error.location().line, 4) << in;
    }
  }
}

TEST(ImportShardingTest, AMeshHasEachDeviceOnce) {
  for (const std::string_view mesh :
       {R"(["x"=4], device_ids=[0, 1, 1, 3])", R"(["x"=0])",
        R"(["x"=1048576, "y"=1048576])", R"(["x"=2])"}) {
    EXPECT_THROW(import_text(on_shards(mesh, R"([{"x"}, {}])", R"([{"x"}, {}])",
                                       R"({"x"})", add_id("tensor<1x2xi32>"),
                                       "tensor<4x2xi32>")),
                 Error)
        << mesh;
  }
}

}  // namespace
}  // namespace hlo::stablehlo
