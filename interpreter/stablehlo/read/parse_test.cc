#include "interpreter/stablehlo/read/parse.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "interpreter/stablehlo/read/attributes/tensor_type.h"
#include "interpreter/stablehlo/read/testing/describe.h"

namespace hlo::stablehlo {
namespace {

using testing::describe;

Program parse_one(const std::string& source) {
  std::vector<Program> programs = parse(source);
  EXPECT_EQ(programs.size(), 1U);
  return std::move(programs.at(0));
}

/// A program of one function, @main, with these operations.
std::string in_main(const std::string& arguments, const std::string& body) {
  return "func.func @main(" + arguments + ") {\n" + body + "\nreturn\n}\n";
}

std::optional<Error> rejection(const std::string& source) {
  try {
    parse(source);
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

Literal dense(const std::string& text) {
  const Program program =
      parse_one(in_main("", "%0 = stablehlo.constant dense<" + text));
  const Attribute* value =
      program.functions[0]->body.operations[0]->find("value");
  return std::get<Literal>(value->value);
}

/// The bits of the elements of dense<text.
std::vector<uint64_t> codes(const std::string& text) {
  const Literal literal = dense(text);
  std::vector<uint64_t> bits;
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    bits.push_back(literal.at(i).bits[0]);
  }
  return bits;
}

using Codes = std::vector<uint64_t>;

TEST(StableHloParse, DecimalsAreRoundedOnce) {
  // Ties to even; 2^-25 + 2^-78 is above the tie of f16, but not in f64.
  EXPECT_EQ(codes("[2049.0, 2051.0, 65519.0]> : tensor<3xf16>"),
            (Codes{0x6800, 0x6802, 0x7bff}));
  EXPECT_EQ(codes("2.98023223876953125000000033e-08> : tensor<f16>"),
            (Codes{0x0001}));
  EXPECT_EQ(codes("[16777217.0, 16777219.0]> : tensor<2xf32>"),
            (Codes{0x4b800000, 0x4b800002}));
}

TEST(StableHloParse, DecimalsBeyondTheRangeAreConverted) {
  EXPECT_EQ(codes("[65520.0, -1.0e400]> : tensor<2xf16>"),
            (Codes{0x7c00, 0xfc00}));
  EXPECT_EQ(codes("1.0e400> : tensor<f64>"), (Codes{0x7ff0000000000000}));
  EXPECT_EQ(codes("[500.0, -500.0]> : tensor<2xf8E4M3FN>"),
            (Codes{0x7f, 0xff}));
  EXPECT_EQ(codes("[0.0, 1.0e-45, 1.0]> : tensor<3xf8E8M0FNU>"),
            (Codes{0x00, 0x00, 0x7f}));
}

TEST(StableHloParse, HexadecimalNumbersAreBits) {
  EXPECT_EQ(codes("[0x7FC1, 0xFF80]> : tensor<2xbf16>"),
            (Codes{0x7fc1, 0xff80}));
  EXPECT_EQ(codes("0x7FF0000000000001> : tensor<1xf64>"),
            (Codes{0x7ff0000000000001}));
  EXPECT_EQ(codes("[0x10, 0xFF]> : tensor<2xi8>"), (Codes{0x10, 0xff}));
}

TEST(StableHloParse, IntegersMayBeWrittenUnsigned) {
  EXPECT_EQ(codes("[255, -128]> : tensor<2xi8>"), (Codes{0xff, 0x80}));
  EXPECT_EQ(codes("[15, -8]> : tensor<2xi4>"), (Codes{0xf, 0x8}));
  EXPECT_EQ(codes("18446744073709551615> : tensor<ui64>"),
            (Codes{0xffffffffffffffff}));
  EXPECT_EQ(dense("15> : tensor<i4>").integer(0), -1);
}

TEST(StableHloParse, ComplexElementsHaveTwoParts) {
  const Literal literal = dense("(1.0, 0x7FC00000)> : tensor<complex<f32>>");
  EXPECT_EQ(literal.scalar().bits[0], 0x3f800000U);
  EXPECT_EQ(literal.scalar().bits[1], 0x7fc00000U);
}

TEST(StableHloParse, BlobsHoldTheBytesOfTheElements) {
  EXPECT_EQ(codes("\"0x0102FFfe\"> : tensor<2xi16>"), (Codes{0x201, 0xfeff}));
  EXPECT_EQ(codes("\"0x0102\"> : tensor<3xi16>"), (Codes{0x201, 0x201, 0x201}));
  EXPECT_EQ(codes("\"0x0F02\"> : tensor<2xi4>"), (Codes{0xf, 0x2}));
}

TEST(StableHloParse, BlobsOfTruthValuesAreBytesOrBits) {
  EXPECT_EQ(codes("\"0x000100\"> : tensor<3xi1>"), (Codes{0, 1, 0}));
  EXPECT_EQ(codes("\"0x05\"> : tensor<3xi1>"), (Codes{1, 0, 1}));
  EXPECT_EQ(codes("\"0x0102\"> : tensor<10xi1>"),
            (Codes{1, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(codes("\"0xFF\"> : tensor<9xi1>"), Codes(9, 1));
}

/// The rule that a constant of this type, whose resource is the string, breaks.
std::string resource_rule(const std::string& type, const std::string& blob) {
  const auto error = rejection(
      in_main("", "%0 = stablehlo.constant dense_resource<r> : " + type) +
      "{-# dialect_resources: {builtin: {r: \"" + blob + "\"}} #-}\n");
  return error ? error->rule() : "";
}

// Neither one element for all nor bits, unlike in dense<>.
TEST(StableHloParse, ResourcesHaveAnAlignmentAndAllElements) {
  EXPECT_EQ(resource_rule("tensor<2xi16>", "0x0400000001020304"), "");
  EXPECT_EQ(resource_rule("tensor<2xi16>", "0x040000000102"), "stablehlo.blob");
  EXPECT_EQ(resource_rule("tensor<9xi1>", "0x040000000102"), "stablehlo.blob");
  EXPECT_EQ(resource_rule("tensor<2xi16>", "0x0300000001020304"),
            "stablehlo.blob");
  EXPECT_EQ(resource_rule("tensor<2xi16>", "0x0400"), "stablehlo.blob");
  EXPECT_EQ(resource_rule("tensor<2xi16>", "0x04000000010203zz"),
            "stablehlo.blob");
  EXPECT_EQ(resource_rule("tensor<2xi16>", "0x0400000001020304\"}, s: {r: \""),
            "");
  EXPECT_EQ(rejection(in_main("", "") + "{-# a: {b: 1}\n")->rule(),
            "stablehlo.syntax");
}

TEST(StableHloParse, EmptyElements) {
  EXPECT_EQ(dense("> : tensor<0x3xf32>").element_count(), 0);
  EXPECT_EQ(dense("[[], []]> : tensor<2x0xf32>").element_count(), 0);
}

TEST(StableHloParse, SplatsStandForAllElements) {
  EXPECT_EQ(codes("7> : tensor<2x2xi32>"), (Codes{7, 7, 7, 7}));
}

struct Pair {
  std::string arguments;
  std::string pretty;
  std::string generic;
};

TEST(StableHloParse, PrettyFormsGiveTheGenericAttributes) {
  const std::vector<Pair> pairs = {
      {"", "%0 = stablehlo.iota dim = 0 : tensor<4xf32>",
       "%0 = \"stablehlo.iota\"() <{iota_dimension = 0 : i64}> : () -> "
       "tensor<4xf32>"},
      {"%a: tensor<4xf32>",
       "%0 = stablehlo.slice %a [0:4:2] : (tensor<4xf32>) -> tensor<2xf32>",
       "%0 = \"stablehlo.slice\"(%a) {start_indices = array<i64: 0>, "
       "limit_indices = array<i64: 4>, strides = array<i64: 2>} : "
       "(tensor<4xf32>) -> tensor<2xf32>"},
      {"%a: tensor<4xf32>",
       "%0 = stablehlo.compare  LT, %a, %a,  TOTALORDER : (tensor<4xf32>, "
       "tensor<4xf32>) -> tensor<4xi1>",
       "%0 = \"stablehlo.compare\"(%a, %a) <{compare_type = "
       "#stablehlo<comparison_type TOTALORDER>, comparison_direction = "
       "#stablehlo<comparison_direction LT>}> : (tensor<4xf32>, "
       "tensor<4xf32>) -> tensor<4xi1>"},
      {"%a: tensor<4xf32>",
       "%0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<4xf32>",
       "%0 = \"stablehlo.reduce_precision\"(%a) <{exponent_bits = 5 : i32, "
       "mantissa_bits = 10 : i32}> : (tensor<4xf32>) -> tensor<4xf32>"},
      {"%a: tensor<2x4xf32>",
       "%0 = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], "
       "contracting_dims = [1] x [1], precision = [HIGH, DEFAULT] : "
       "(tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2xf32>",
       "%0 = \"stablehlo.dot_general\"(%a, %a) <{dot_dimension_numbers = "
       "#stablehlo.dot<lhs_batching_dimensions = [0], "
       "rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], "
       "rhs_contracting_dimensions = [1]>, precision_config = "
       "[#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}> : "
       "(tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2xf32>"},
      {"%l: tensor<1x4x2xf32>, %r: tensor<3x2x6xf32>",
       "%0 = stablehlo.convolution(%l, %r) dim_numbers = [b, 0, f]x[0, i, o]"
       "->[f, b, 0], window = {stride = [2], pad = [[1, -1]], rhs_dilate = "
       "[1], reverse = [true]} {batch_group_count = 1 : i64} : "
       "(tensor<1x4x2xf32>, tensor<3x2x6xf32>) -> tensor<6x1x1xf32>",
       "%0 = \"stablehlo.convolution\"(%l, %r) <{dimension_numbers = "
       "#stablehlo.conv<raw input_batch_dimension = 0, "
       "input_feature_dimension = 2, input_spatial_dimensions = [1], "
       "kernel_input_feature_dimension = 1, kernel_output_feature_dimension "
       "= 2, kernel_spatial_dimensions = [0], output_batch_dimension = 1, "
       "output_feature_dimension = 0, output_spatial_dimensions = [2]>, "
       "window_strides = array<i64: 2>, padding = dense<[[1, -1]]> : "
       "tensor<1x2xi64>, rhs_dilation = array<i64: 1>, window_reversal = "
       "array<i1: true>, batch_group_count = 1 : i64}> : "
       "(tensor<1x4x2xf32>, tensor<3x2x6xf32>) -> tensor<6x1x1xf32>"},
      {"%l: tensor<1x5x4x2xf32>, %r: tensor<3x2x2x6xf32>",
       "%0 = stablehlo.convolution(%l, %r) dim_numbers = [b, 1, 0, f]x"
       "[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]} : "
       "(tensor<1x5x4x2xf32>, tensor<3x2x2x6xf32>) -> tensor<1x2x4x6xf32>",
       "%0 = \"stablehlo.convolution\"(%l, %r) <{dimension_numbers = "
       "#stablehlo.conv<raw input_batch_dimension = 0, "
       "input_feature_dimension = 3, input_spatial_dimensions = [2, 1], "
       "kernel_input_feature_dimension = 2, kernel_output_feature_dimension "
       "= 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, "
       "output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, "
       "window_strides = array<i64: 1, 1>}> : (tensor<1x5x4x2xf32>, "
       "tensor<3x2x2x6xf32>) -> tensor<1x2x4x6xf32>"},
      {"%a: tensor<4xf32>, %i: tensor<f32>",
       "%0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across "
       "dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>",
       "%0 = \"stablehlo.reduce\"(%a, %i) <{dimensions = array<i64: 0>}> ({\n"
       "^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
       "  %1 = \"stablehlo.add\"(%x, %y) : (tensor<f32>, tensor<f32>) -> "
       "tensor<f32>\n  \"stablehlo.return\"(%1) : (tensor<f32>) -> ()\n"
       "}) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>"},
      {"%a: tensor<4xf32>, %i: tensor<i32>",
       "%0:2 = stablehlo.while(%x = %a, %y = %i) : tensor<4xf32>, "
       "tensor<i32>\ncond {\n %p = stablehlo.compare LT, %y, %i : "
       "(tensor<i32>, tensor<i32>) -> tensor<i1>\n stablehlo.return %p : "
       "tensor<i1>\n} do {\n stablehlo.return %x, %y : tensor<4xf32>, "
       "tensor<i32>\n}",
       "%0, %1 = \"stablehlo.while\"(%a, %i) ({\n^bb0(%u: tensor<4xf32>, %v: "
       "tensor<i32>):\n %p = \"stablehlo.compare\"(%v, %i) "
       "{comparison_direction = #stablehlo<comparison_direction LT>} : "
       "(tensor<i32>, tensor<i32>) -> tensor<i1>\n \"stablehlo.return\"(%p) "
       ": (tensor<i1>) -> ()\n}, {\n^bb0(%w: tensor<4xf32>, %z: "
       "tensor<i32>):\n \"stablehlo.return\"(%w, %z) : (tensor<4xf32>, "
       "tensor<i32>) -> ()\n}) : (tensor<4xf32>, tensor<i32>) -> "
       "(tensor<4xf32>, tensor<i32>)"},
      {"%a: tensor<4xf32>",
       "%0:2 = chlo.top_k(%a, k = 2) : tensor<4xf32> -> (tensor<2xf32>, "
       "tensor<2xi32>)",
       "%0:2 = \"chlo.top_k\"(%a) <{k = 2 : i64}> : (tensor<4xf32>) -> "
       "(tensor<2xf32>, tensor<2xi32>)"},
      {"%a: tensor<4xf32>",
       "%0 = stablehlo.custom_call @\"a b\"(%a) {x = 1 : i32} : "
       "(tensor<4xf32>) -> tensor<4xf32>",
       "%0 = \"stablehlo.custom_call\"(%a) <{call_target_name = \"a b\"}> {x "
       "= 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>"},
  };
  for (const Pair& pair : pairs) {
    EXPECT_EQ(describe(parse_one(in_main(pair.arguments, pair.pretty))),
              describe(parse_one(in_main(pair.arguments, pair.generic))));
  }
}

TEST(StableHloParse, GenericModulesAreModules) {
  const std::string pretty =
      "module @m attributes {a.b = 1 : i32} {\n"
      "func.func private @f(%x: i32 {c.d}) -> (i32 {e = \"f\"}) {\n"
      "  return %x : i32\n}\n}\n";
  const std::string generic =
      "\"builtin.module\"() <{sym_name = \"m\"}> ({\n"
      "\"func.func\"() <{arg_attrs = [{c.d}], function_type = (i32) -> i32, "
      "res_attrs = [{e = \"f\"}], sym_name = \"f\", sym_visibility = "
      "\"private\"}> ({\n^bb0(%y: i32):\n  \"func.return\"(%y) : (i32) -> "
      "()\n}) : () -> ()\n}) {a.b = 1 : i32} : () -> ()\n";
  EXPECT_EQ(describe(parse_one(pretty)), describe(parse_one(generic)));
}

TEST(StableHloParse, AliasesAndLocationsMayStandBehindTheirUses) {
  const Program program = parse_one(
      "module {\n func.func @main(%a: !t loc(\"a\")) -> !t {\n"
      "  %0 = stablehlo.constant #c loc(#loc2)\n"
      "  return %a : !t loc(fused<\"x\">[#loc1, callsite(\"f\" at #loc1)])\n"
      " } loc(unknown)\n} loc(#loc)\n!t = tensor<2xf32>\n"
      "#c = dense<1> : tensor<2xi8>\n#loc = loc(unknown)\n"
      "#loc1 = loc(\"x\":1:2)\n#loc2 = loc(\"y\"(#loc1))\n");
  const Function& main = *program.functions[0];
  EXPECT_EQ(to_string(main.result_types[0]), "f32[2]");
  EXPECT_EQ(to_string(main.body.operations[0]->results[0]->type), "s8[2]");
}

TEST(StableHloParse, BoundsMakeDimensionsDynamic) {
  const Program program = parse_one(in_main(
      "%a: tensor<?x?xf32, #stablehlo.bounds<?, 3>>, %b: tensor<*xui8>", ""));
  const auto& arguments = program.functions[0]->body.arguments;
  EXPECT_EQ(to_string(arguments[0]->type.shape, false), "f32[?,<=3]");
  EXPECT_EQ(arguments[1]->type.kind, Type::Kind::kUnranked);
}

TEST(StableHloParse, QuantizedTypesKeepTheirParts) {
  const Program program = parse_one(in_main(
      "%a: tensor<2x!quant.uniform<u8<1:200>:f32:0, {0.5:-3, 2.0}>>", ""));
  const Type& type = program.functions[0]->body.arguments[0]->type;
  const Quantization expected{ElementType::kU8,
                              ElementType::kF32,
                              std::pair<int64_t, int64_t>{1, 200},
                              0,
                              {0.5, 2.0},
                              {-3, 0}};
  EXPECT_EQ(type.quantization, OptionalQuantization(expected));
  EXPECT_EQ(type.shape.element_type, ElementType::kU8);
}

TEST(StableHloParse, ProgramsAreSeparated) {
  const std::string source =
      "// -----\nfunc.func @a() {\n return\n}\n// -----\n\n// -----\n"
      "func.func @a() {\n return %x\n}\n";
  const auto error = rejection(source);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->location(), (Location{9, 9}));
  EXPECT_EQ(parse(source.substr(0, source.rfind("func.func"))).size(), 1U);
}

TEST(StableHloParse, NamesEndWithTheirRegion) {
  const auto error = rejection(in_main(
      "%p: tensor<i1>",
      "\"stablehlo.if\"(%p) ({\n %x = stablehlo.negate %p : tensor<i1>\n "
      "stablehlo.return\n}, {\n stablehlo.return %x : tensor<i1>\n}) : "
      "(tensor<i1>) -> ()"));
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->rule(), "stablehlo.name");
}

TEST(StableHloParse, FormatsAreTwoNumbersOfBits) {
  for (const std::string_view format :
       {"m10", "e5", "e5m", "em", "x5m10", "e5m1x", "e5m-1",
        "e99999999999999999999m10", "e5m99999999999999999999"}) {
    const auto error = rejection(in_main(
        "%x: tensor<f32>", "%0 = stablehlo.reduce_precision %x, format = " +
                               std::string(format) + " : tensor<f32>"));
    ASSERT_TRUE(error.has_value()) << format;
    EXPECT_EQ(error->rule(), "stablehlo.syntax") << format;
  }
}

TEST(StableHloParse, AliasesCannotMultiply) {
  std::string source = "!a0 = tuple<i32, i32>\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = std::to_string(i - 1);
    source += "!a" + std::to_string(i);
    source += " = tuple<!a" + before;
    source += ", !a" + before;
    source += ">\n";
  }
  const auto error = rejection(source + "func.func @main(%a: !a39)\n");
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->rule(), "stablehlo.size");
}

TEST(StableHloParse, AliasesStandAtTheBeginningOfALine) {
  const auto error = rejection("#a = loc(\"x\")\n#b = loc#a = loc(\"x\")\n");
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->rule(), "stablehlo.alias");
}

TEST(StableHloParse, ContentTellsTheLanguage) {
  EXPECT_TRUE(is_stablehlo("// a comment\n module @m {}"));
  EXPECT_TRUE(is_stablehlo("\"builtin.module\"() ({}) : () -> ()"));
  EXPECT_TRUE(is_stablehlo("#loc = loc(unknown)"));
  EXPECT_FALSE(is_stablehlo("HloModule m\n\nENTRY e { }"));
  EXPECT_FALSE(is_stablehlo("%module (x: f32[]) -> f32[] {}"));
  EXPECT_FALSE(is_stablehlo(""));
}

TEST(StableHloParse, NamesOfHloDoNotTellTheLanguage) {
  EXPECT_FALSE(is_stablehlo("module {\n  x = f32[] parameter(0)\n}"));
  EXPECT_FALSE(is_stablehlo("module {\n  ROOT x = f32[] constant(0)\n}"));
  EXPECT_FALSE(is_stablehlo("module (x: f32[]) -> f32[] {}"));
  EXPECT_FALSE(is_stablehlo("module = f32[] constant(0)"));
  EXPECT_FALSE(is_stablehlo("func.func {\n  %x = f32[] parameter(0)\n}"));
  EXPECT_FALSE(is_stablehlo("sdy.mesh = f32[] constant(0)"));
  EXPECT_TRUE(is_stablehlo("module {\n  func.func @main() {\n return\n }\n}"));
  EXPECT_TRUE(is_stablehlo("module attributes {a = 1 : i32} {}"));
  EXPECT_TRUE(is_stablehlo("module {\n  sdy.mesh @m = <[\"x\"=2]>\n}"));
  EXPECT_TRUE(is_stablehlo("func.func private @f()"));
}

TEST(StableHloParse, OperationsFollowConstantsToCompareWith) {
  const auto programs = parse(R"(func.func @main(%x: tensor<i32>) {
  check.expect_eq_const %x, dense<1> : tensor<i32>
  %y = stablehlo.abs %x : tensor<i32>
  return
})");
  EXPECT_EQ(programs.at(0).functions.at(0)->body.operations.size(), 3U);
}

}  // namespace
}  // namespace hlo::stablehlo
