#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/stablehlo/import/import.h"
#include "interpreter/text/printer.h"

namespace hlo::stablehlo {
namespace {

/// The parts of the text of the module that it is about, in order.
void expect_text(std::string_view program,
                 const std::vector<std::string_view>& parts) {
  const std::string text = text::print(import_text(program));
  size_t from = 0;
  for (const std::string_view part : parts) {
    const size_t at = text.find(part, from);
    EXPECT_NE(at, std::string::npos) << part << " in\n" << text;
    if (at != std::string::npos) from = at + part.size();
  }
}

TEST(ImportTest, AttributesAreKept) {
  expect_text(R"(
module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32, jax.uses_shape_polymorphism = false} {
  func.func public @main(%x: tensor<4xf32> {mhlo.sharding = "{devices=[2]0,1}", mhlo.layout_mode = "default", tf.aliasing_output = 0 : i32})
      -> (tensor<4xf32> {jax.result_info = "[0]"}) {
    %0 = stablehlo.negate %x {mhlo.frontend_attributes = {key = "value"}} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})",
              {"HloModule jit_f", "input_output_alias={{}: (0, {}, may-alias)}",
               "frontend_attributes={jax.uses_shape_polymorphism=\"false\"}",
               "num_partitions=2", "parameter(0), sharding={devices=[2]0,1}",
               "frontend_attributes={mhlo.layout_mode=\"default\"}", "negate(",
               "key=\"value\"", "result0.jax.result_info=\"[0]\""});
}

/// An all_gather on devices of two replicas, by so many members.
std::string gathering(std::string_view groups, std::string_view more,
                      int members = 4, int partitions = 2) {
  const std::string result = "tensor<" + std::to_string(members) + "xf32>";
  return "module attributes {mhlo.num_partitions = " +
         std::to_string(partitions) +
         " : i32, mhlo.num_replicas = 2 : i32} {\n"
         "func.func @main(%x: tensor<1xf32>) -> " +
         result +
         " {\n%0 = \"stablehlo.all_gather\"(%x) {all_gather_dim = 0 : i64, "
         "replica_groups = dense<" +
         std::string(groups) + "xi64>" + std::string(more) +
         "} : (tensor<1xf32>) -> " + result + "\nreturn %0 : " + result +
         "\n}\n}\n";
}

TEST(ImportTest, PartitionsOfAllReplicasComeFirst) {
  const std::string channel =
      ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>";
  expect_text(gathering("[[1, 0]]> : tensor<1x2", channel),
              {"replica_groups={{2,0,3,1}}", "use_global_device_ids=true"});
  expect_text(gathering("> : tensor<0x0", channel),
              {"replica_groups={{0,2,1,3}}", "use_global_device_ids=true"});
  expect_text(gathering("[[0, 1, 2, 3]]> : tensor<1x4",
                        channel + ", use_global_device_ids"),
              {"replica_groups={{0,1,2,3}}", "use_global_device_ids=true"});
  for (const std::string& same :
       {gathering("[[1, 0]]> : tensor<1x2", channel, 2, 1),
        gathering("[[1, 0]]> : tensor<1x2", "", 2)}) {
    const std::string text = text::print(import_text(same));
    EXPECT_NE(text.find("replica_groups={{1,0}}"), std::string::npos) << text;
    EXPECT_EQ(text.find("use_global"), std::string::npos) << text;
  }
}

TEST(ImportTest, GroupsAcrossPartitionsNameReplicasThatExist) {
  const std::string channel =
      ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>";
  for (const std::string& program :
       {gathering("[[0, 2]]> : tensor<1x2", channel),
        gathering("[[0, 1]]> : tensor<1x2", channel, 4, 1 << 20)}) {
    try {
      import_text(program);
      ADD_FAILURE() << "taken: " << program;
    } catch (const Error& error) {
      EXPECT_EQ(error.rule(), "stablehlo.needs") << error.what();
      EXPECT_EQ(error.location().line, 3) << error.what();
    }
  }
}

TEST(ImportTest, AccuraciesAreKept) {
  const auto program = [](std::string_view accuracy) {
    return "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
           "  %0 = stablehlo.tanh %x {result_accuracy = "
           "#stablehlo.result_accuracy<" +
           std::string(accuracy) +
           ">} : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n";
  };
  expect_text(program("mode = #stablehlo.result_accuracy_mode<HIGHEST>"),
              {"tanh(%x), result_accuracy={mode=highest}"});
  expect_text(program("atol = 1.5, ulps = 2, "
                      "mode = #stablehlo.result_accuracy_mode<TOLERANCE>"),
              {"result_accuracy={tolerance={atol=1.5,rtol=0,ulps=2}}"});
  try {
    import_text(
        program("atol = -1.0, "
                "mode = #stablehlo.result_accuracy_mode<TOLERANCE>"));
    ADD_FAILURE() << "a negative tolerance was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), "stablehlo.needs");
    EXPECT_EQ(error.location().line, 2);
  }
}

TEST(ImportTest, CustomCallsAreKept) {
  expect_text(R"(
func.func @main(%x: tensor<2x3xf32>, %s: tensor<2x2xi32>) -> (tensor<2xf32>, tensor<2x2xi32>) {
  %0:2 = stablehlo.custom_call @target(%x, %s) {backend_config = "opaque", has_side_effect = true, api_version = 2 : i32,
    output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>],
    operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>]}
    : (tensor<2x3xf32>, tensor<2x2xi32>) -> (tensor<2xf32>, tensor<2x2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2x2xi32>
})",
              {"(f32[2]{0}, s32[2,2]{0,1}) custom-call(%x, %s)",
               "custom_call_target=\"target\"",
               "operand_layout_constraints={f32[2,3]{0,1}, s32[2,2]{1,0}}",
               "custom_call_has_side_effect=true",
               "output_to_operand_aliasing={{1}: (1, {})}",
               "api_version=API_VERSION_STATUS_RETURNING",
               "backend_config=\"opaque\""});
}

TEST(ImportTest, DictionariesOfCustomCallsKeepQuotesAndTypes) {
  expect_text(R"(
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @target(%x) {api_version = 4 : i32, mhlo.backend_config = {a = 1 : i32, b = "t\"wo",
    c = [true, 2.5 : f32], d, e = array<i64: 1, 2>, f = {g = 1 : ui8}, h = array<i1: true, false>,
    i = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, j = dense<7> : tensor<9x9xi32>}} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
})",
              {R"(backend_config="{a = 1 : i32, b = \"t\\\"wo\", )"
               R"(c = [true, 2.5 : f32], d, e = array<i64: 1, 2>, )"
               R"(f = {g = 1 : ui8}, h = array<i1: true, false>, )"
               R"(i = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, )"
               R"(j = dense<7> : tensor<9x9xi32>}")"});
}

TEST(ImportTest, LongListsOfCustomCallsAreKeptWhole) {
  std::string list = "0";
  for (int i = 1; i < 100; ++i) list += ", " + std::to_string(i);
  const std::string config = "{a = array<i64: " + list + ">}";
  expect_text(
      "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %0 = "
      "stablehlo.custom_call @target(%x) {backend_config = \"\", "
      "mhlo.backend_config = " +
          config +
          "} : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}",
      {"custom_call_target=\"target\", backend_config=\"" + config + "\""});
}

// An operation that has no configuration keeps the attribute as it is.
TEST(ImportTest, ConfigurationsOfOtherOperationsAreKept) {
  expect_text(R"(
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x {mhlo.backend_config = {a = 1 : i32}} : tensor<f32>
  return %0 : tensor<f32>
})",
              {"mhlo.backend_config=\"{a = 1 : i32}\""});
}

TEST(ImportTest, LayoutsOfCustomCallsNameEachDimensionOnce) {
  constexpr std::string_view kCall = R"(
func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @target(%x) {operand_layouts = [dense<[5, 1]> : tensor<2xindex>],
    result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
})";
  try {
    import_text(kCall);
    ADD_FAILURE() << "was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), "layout.C1");
  }
}

// Sizes are computed while importing, of operations that verify() has not seen.
TEST(ImportTest, WhatGivesSizesIsChecked) {
  const std::string source = R"(func.func @main() {
  %a = stablehlo.constant dense<2> : tensor<1xi32>
  %s = stablehlo.concatenate %a, %a, dim = 5 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %x = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
  return
})";
  try {
    import_text(source);
    FAIL() << "there is no dimension 5";
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), "concatenate.C2");
    EXPECT_EQ(error.location().line, 3);
  }
}

std::string normalized(std::string_view epsilon) {
  return std::string(R"(
func.func @main(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) {feature_index = 1 : i64, epsilon = )") +
         std::string(epsilon) + R"( : f32} : (tensor<2x3xf32>, tensor<3xf32>,
    tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
})";
}

TEST(ImportTest, AnEpsilonOfBitsBecomesADecimal) {
  expect_text(normalized("0x3F400000"), {"epsilon=0.75,"});
  expect_text(normalized("1.0e-3"), {"epsilon=1.0e-3,"});
  EXPECT_THROW(import_text(normalized("0x7F800000")), Error);
}

TEST(ImportTest, GroupsOfCollectivesAreWithoutTheFilling) {
  expect_text(
      R"(
module attributes {mhlo.num_replicas = 3 : i32} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
})",
      {"replica_count=3", "all-reduce(%x), replica_groups={{0,2},{1}}"});
}

/// Checks stay in the module, have the value and what is expected, and what
/// they tolerate.
TEST(ImportTest, ChecksAreCallsThatStayAlive) {
  const Module module = import_text(R"(
func.func @f() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_almost_eq_const %0, dense<[1.0, 3.0]> : tensor<2xf32>, tolerance = 0.5
  stablehlo.custom_call @check.expect_eq(%0, %0) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  %1 = stablehlo.custom_call @check.eq(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  func.return
})");
  std::vector<std::string> targets;
  std::vector<std::string> results;
  EvaluatorOptions options;
  options.observer = [&](const Instruction& instruction, Operands operands,
                         const Literal& result) {
    const AttributeValue* target = instruction.find("custom_call_target");
    if (target == nullptr) return;
    EXPECT_EQ(operands.size(), 2U);
    targets.push_back(std::get<std::string>(*target));
    results.push_back(text::print(result));
  };
  const Literal result = evaluate(module, {}, options);
  EXPECT_TRUE(identical(result, Literal()));
  EXPECT_EQ(targets, (std::vector<std::string>{"check.expect_almost_eq",
                                               "check.expect_eq", "check.eq"}));
  EXPECT_EQ(results.size(), 3U);
  EXPECT_NE(text::print(module).find(R"(backend_config={"tolerance":0.5})"),
            std::string::npos)
      << text::print(module);
}

TEST(ImportTest, CountsOfDevicesAreInRange) {
  try {
    import_text(R"(
module attributes {mhlo.num_replicas = 0 : i32} {
  func.func @main() {
    return
  }
})");
    ADD_FAILURE() << "it is taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), "text.range");
    EXPECT_EQ(error.location().line, 2);
  }
}

TEST(ImportTest, TheEntryIsWhatNoOtherCalls) {
  const Module module = import_text(R"(
func.func private @g(%x: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}
func.func @f(%x: tensor<i32>) -> tensor<i32> {
  %0 = call @g(%x) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
})");
  EXPECT_EQ(module.entry->name, "f");
  EXPECT_EQ(module.computations.size(), 2U);
}

struct Fence {
  std::string info;
  std::string body;
  int line = 0;
};

std::vector<Fence> fences() {
  std::ifstream page(std::string(ASSAY_SOURCE_DIR) +
                     "/spec/stablehlo_operations.md");
  std::vector<Fence> found;
  bool is_inside = false;
  int number = 0;
  for (std::string line; std::getline(page, line);) {
    ++number;
    if (line.starts_with("```")) {
      is_inside = !is_inside;
      if (is_inside) found.push_back({line.substr(3), "", number});
    } else if (is_inside) {
      found.back().body += line + "\n";
    }
  }
  return found;
}

TEST(ImportPage, SyntaxExamplesAreTaken) {
  for (const Fence& fence : fences()) {
    if (fence.info != "mlir syntax") continue;
    SCOPED_TRACE(fence.line);
    EXPECT_NO_THROW(import_text(fence.body));
  }
}

TEST(ImportPage, InvalidExamplesAreRejectedByTheirRule) {
  const std::string kind = "mlir invalid ";
  size_t count = 0;
  for (const Fence& fence : fences()) {
    if (!fence.info.starts_with(kind)) continue;
    SCOPED_TRACE(fence.line);
    ++count;
    try {
      import_text(fence.body);
      ADD_FAILURE() << "it is taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.rule(), fence.info.substr(kind.size())) << error.what();
      EXPECT_GT(error.location().line, 0);
    }
  }
  EXPECT_GE(count, 18U);
}

}  // namespace
}  // namespace hlo::stablehlo
