#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "interpreter/stablehlo/import/import.h"

namespace hlo::stablehlo {
namespace {

/// An operation on arguments of these types and the rule that refuses it.
struct Refused {
  std::string_view operation;
  std::string_view rule;
};

constexpr Refused kRefused[] =
    {
        {R"("chlo.constant_like"(%x) : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("chlo.constant_like"(%x) {value = 1.5 : f32} : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("chlo.constant_like"(%x) {value = dense<1> : tensor<i64>} : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("chlo.constant_like"(%x) {value = dense<[1, 1]> : tensor<2xi32>} : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"(chlo.scan(%x) dimension=0 { ^bb0(%a: tensor<i32>): stablehlo.return %a : tensor<i32> } : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.syntax"},
        {R"(chlo.scan(%x) inits() dimension=0 { ^bb0(%a: tensor<i32>, %b: tensor<i32>): stablehlo.return %a : tensor<i32> } : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.regions"},
        {R"(chlo.scan(%x) inits() dimension=1 { ^bb0(%a: tensor<i32>): stablehlo.return %a : tensor<i32> } : (tensor<3xi32>) -> tensor<3xi32>)",
         "scan.C2"},
        {R"(stablehlo.dynamic_reshape %x, %n : (tensor<3xi32>, tensor<2xi32>) -> tensor<?xi32>)",
         "stablehlo.result-type"},
        {R"(stablehlo.dynamic_reshape %x, %n : (tensor<3xi32>, tensor<2xi32>) -> tensor<?x2xi32>)",
         "stablehlo.result-type"},
        {R"(stablehlo.dynamic_reshape %x, %x : (tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x?xi32>)",
         "stablehlo.dynamic"},
        {R"("stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> {dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.attribute"},
        {R"("stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [], rhs_contracting_dimensions = []>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3x3xi32>)",
         "dot.C6"},
        {R"("stablehlo.broadcast_in_dim"(%x) : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"(stablehlo.broadcast_in_dim %m, dims = [0, 0] : (tensor<3x1xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"(stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [1] : (tensor<3xi32>, tensor<2xi32>) -> tensor<2x3xi32>)",
         "stablehlo.result-type"},
        {R"(stablehlo.dynamic_iota %n, dim = 0 : (tensor<2xi32>) -> tensor<3x1xi32>)",
         "stablehlo.result-type"},
        {R"("stablehlo.map"(%x) ({ ^bb0(%a: tensor<i32>): stablehlo.return %a : tensor<i32> }) : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.map"(%x) <{dimensions = array<i64>}> ({ ^bb0(%a: tensor<i32>): stablehlo.return %a : tensor<i32> }) : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.collective_permute"(%x) : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[0, 1]> : tensor<2xi64>}> : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.custom_call"(%x) : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.rng_bit_generator"(%s) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>))",
         "stablehlo.needs"},
        {R"("stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm FOO>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>))",
         "stablehlo.needs"},
        {R"("stablehlo.rng"(%f, %f, %n) : (tensor<f32>, tensor<f32>, tensor<2xi32>) -> tensor<1x3xf32>)",
         "stablehlo.needs"},
        {R"("stablehlo.rng"(%f, %f, %n) <{rng_distribution = #stablehlo<rng_distribution NORMALE>}> : (tensor<f32>, tensor<f32>, tensor<2xi32>) -> tensor<1x3xf32>)",
         "stablehlo.needs"},
        {R"("stablehlo.rng"(%f, %f, %n) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi32>) -> tensor<3x1xf32>)",
         "stablehlo.result-type"},
        {R"("stablehlo.exponential"(%f) <{result_accuracy = #stablehlo.result_accuracy<ulps = 1>}> : (tensor<f32>) -> tensor<f32>)",
         "stablehlo.needs"},
        {R"("stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.gather<offset_dims = [0]>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<i32>)",
         "stablehlo.needs"},
        {R"("stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_contracting_dimensions = []>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<i32>)",
         "stablehlo.attribute"},
        {R"("stablehlo.reduce_window"(%x, %i) ({ ^bb0(%a: tensor<i32>, %b: tensor<i32>): stablehlo.return %a : tensor<i32> }) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.torch_index_select"(%x, %x) <{dim = 0 : i64}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.triangular_solve"(%t, %t) <{left_side = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>)",
         "stablehlo.needs"},
        {R"("chlo.constant_like"(%f) {value = 1 : i32} : (tensor<f32>) -> tensor<f32>)",
         "stablehlo.needs"},
        {R"("chlo.constant_like"(%f) {value = 1.5} : (tensor<f32>) -> tensor<f32>)",
         "stablehlo.needs"},
        {R"(stablehlo.dynamic_reshape %m, %n : (tensor<3x1xi32>, tensor<2xi32>) -> tensor<3x1xi32>)",
         "stablehlo.result-type"},
        {R"("stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], foo = [1]>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<i32>)",
         "stablehlo.attribute"},
        {R"("stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<i32>)",
         "stablehlo.needs"},
        {R"("stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<transpose DEFAULT>]}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<i32>)",
         "stablehlo.needs"},
        {R"("stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 2, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<i32>)",
         "stablehlo.algorithm"},
        {R"("stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = -1, num_primitive_operations = 1, allow_imprecise_accumulation = false>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<i32>)",
         "stablehlo.algorithm"},
        {R"("stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<precision LT>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>)",
         "stablehlo.needs"},
        {R"("stablehlo.custom_call"(%x) <{call_target_name = "a", has_side_effect = 0 : i64}> : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.custom_call"(%x) <{call_target_name = "a", called_computations = "b"}> : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.custom_call"(%x) <{call_target_name = "a", operand_layouts = "b"}> : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.custom_call"(%x) <{call_target_name = "a", operand_layouts = [1]}> : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.custom_call"(%x) <{call_target_name = "a", operand_layouts = []}> : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.custom_call"(%x) <{call_target_name = "a", result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]}> : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.custom_call"(%x) <{call_target_name = "a", output_operand_aliases = 0}> : (tensor<3xi32>) -> tensor<3xi32>)",
         "stablehlo.needs"},
        {R"("stablehlo.infeed"(%k) <{layout = []}> : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token))",
         "stablehlo.needs"},
        {R"("stablehlo.exponential"(%f) <{result_accuracy = #stablehlo.result_accuracy<ulps = 1, mode = #stablehlo<precision HIGHEST>>}> : (tensor<f32>) -> tensor<f32>)",
         "stablehlo.needs"},
};

TEST(ImportTest, RarerFormsAreRefusedByTheirRules) {
  for (const Refused& refused : kRefused) {
    SCOPED_TRACE(refused.operation);
    const bool has_two =
        refused.operation.find("-> (") != std::string_view::npos;
    try {
      import_text(
          "func.func @main(%x: tensor<3xi32>, %m: tensor<3x1xi32>, "
          "%i: tensor<i32>, %s: tensor<2xui64>, %f: tensor<f32>, "
          "%t: tensor<1x1xf32>, %k: !stablehlo.token) {\n"
          "  %n = stablehlo.constant dense<[1, 3]> : tensor<2xi32>\n  %0" +
          std::string(has_two ? ":2" : "") + " = " +
          std::string(refused.operation) + "\n  return\n}\n");
      ADD_FAILURE() << "was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.rule(), refused.rule);
      EXPECT_EQ(error.location().line, 3);
    }
  }
}

// A module with one result has no part 5.
TEST(ImportTest, ArgumentsShareNoMemoryWithResultsThatAreNotThere) {
  for (const char* output : {"0", "5"}) {
    const bool is_there = std::string_view(output) == "0";
    const std::string text =
        "func.func @main(%x: tensor<f32> {tf.aliasing_output = " +
        std::string(output) +
        " : i32}) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n";
    if (is_there) {
      EXPECT_NO_THROW(import_text(text));
    } else {
      EXPECT_THROW(import_text(text), Error);
    }
  }
}

}  // namespace
}  // namespace hlo::stablehlo
