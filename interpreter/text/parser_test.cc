#include "interpreter/text/parser.h"

#include <gtest/gtest.h>

#include "interpreter/rules/op.h"
#include "interpreter/text/printer.h"

namespace hlo::text {
namespace {

Module parse_entry(const std::string& body) {
  return parse("ENTRY e {\n" + body + "\n}\n");
}

Error error_of(const std::string& source) {
  try {
    parse(source);
  } catch (const Error& error) {
    return error;
  }
  throw std::runtime_error("the text was accepted: " + source);
}

/// The bits of the one element that `number` gives in that type.
uint64_t bits_of(const std::string& type, const std::string& number) {
  return parse_literal(number, parse_shape(type + "[]")).scalar().bits[0];
}

std::string rule_of_number(const std::string& type, const std::string& number) {
  try {
    parse_literal(number, parse_shape(type + "[]"));
  } catch (const Error& error) {
    return error.rule();
  }
  return "accepted";
}

TEST(Parser, ErrorsNameThePlaceAndWhatWasExpected) {
  const Error error = error_of("ENTRY e {\n  x = f32[2] add(y z)\n}");
  EXPECT_EQ(error.location(), (Location{2, 18}));
  EXPECT_EQ(error.phase(), Phase::kParse);
  const Error syntax = error_of("ENTRY e {\n  x f32[] iota()\n}");
  EXPECT_EQ(syntax.message(),
            "expected '=' behind the name of an instruction, found 'f32'");
}

TEST(Parser, ErrorsSayHowManyOperandsAnOperationTakes) {
  const auto message = [](const std::string& instruction) {
    return error_of("ENTRY e {\n  x = f32[2] parameter(0)\n  ROOT r = " +
                    instruction + "\n}")
        .message();
  };
  EXPECT_EQ(message("f32[2] negate(x, x)"),
            "negate has 2 operands, but must have 1");
  EXPECT_EQ(message("f32[4] concatenate(), dimensions={0}"),
            "concatenate has 0 operands, but must have 1 or more");
  EXPECT_EQ(message("(f32[2], u32[]) infeed()"),
            "infeed has 0 operands, but must have 1");
}

TEST(Parser, RefusesParametersThatDoNotBeginAtZero) {
  EXPECT_EQ(error_of("ENTRY e {\n  ROOT x = f32[] parameter(1)\n}").rule(),
            "text.parameters");
}

TEST(Parser, RenderShowsTheLineWithACaret) {
  const std::string source = "HloModule m\nENTRY e {\n  x = f32[] foo()\n}\n";
  EXPECT_EQ(render(error_of(source), "a.hlo", source),
            "a.hlo:3:13: error: text.opcode: there is no operation 'foo'\n"
            "    x = f32[] foo()\n"
            "              ^\n");
}

TEST(Parser, RenderCutsLongLines) {
  const std::string source = "ENTRY e {" + std::string(5000, ' ') + "?";
  const std::string text = render(error_of(source), "f", source);
  EXPECT_LT(text.size(), 400U);
  EXPECT_NE(text.find("?\n"), std::string::npos);
}

TEST(Parser, DecimalsRoundOnceToTheElementType) {
  // Halfway cases that a detour over double would get wrong.
  EXPECT_EQ(bits_of("f32", "1.000000059604644775390625"), 0x3f800000U);
  EXPECT_EQ(bits_of("f32", "1.0000000596046447753906250000001"), 0x3f800001U);
  EXPECT_EQ(bits_of("bf16", "1.00390625000000000000000000000001"), 0x3f81U);
  EXPECT_EQ(bits_of("bf16", "1.00390625"), 0x3f80U);
  EXPECT_EQ(bits_of("f16", "0.333251953125"), 0x3555U);
  EXPECT_EQ(bits_of("f8e5m2", "1.125"), 0x3cU);
}

TEST(Parser, ZerosKeepTheirSign) {
  EXPECT_EQ(bits_of("f32", "-0"), 0x80000000U);
  EXPECT_EQ(bits_of("f16", "-0"), 0x8000U);
  EXPECT_EQ(bits_of("s32", "-0"), 0U);
  EXPECT_EQ(bits_of("u8", "-0"), 0U);
  EXPECT_EQ(bits_of("f8e4m3fnuz", "-0"), 0U);
  EXPECT_EQ(bits_of("f64", "-1e-999"), uint64_t{1} << 63);
}

TEST(Parser, NansKeepSignAndPayload) {
  EXPECT_EQ(bits_of("f32", "nan"), 0x7fc00000U);
  EXPECT_EQ(bits_of("f32", "-nan"), 0xffc00000U);
  EXPECT_EQ(bits_of("f32", "nan(0x1)"), 0x7f800001U);
  EXPECT_EQ(bits_of("f32", "-nan(0x7fffff)"), 0xffffffffU);
  EXPECT_EQ(bits_of("f8e4m3fn", "-nan"), 0xffU);
  EXPECT_EQ(bits_of("f8e5m2fnuz", "-nan"), 0x80U);
  // Types without NaN have what convert makes of one.
  for (const char* type : {"f4e2m1fn", "f6e2m3fn", "f6e3m2fn"}) {
    EXPECT_EQ(bits_of(type, "-nan"), 0U) << type;
  }
}

TEST(Parser, NumbersOutOfRangeAreRejected) {
  for (const auto& [type, number] :
       std::vector<std::pair<std::string, std::string>>{{"s4", "8"},
                                                        {"s4", "-9"},
                                                        {"u2", "4"},
                                                        {"u32", "-1"},
                                                        {"s64", "1e99"},
                                                        {"pred", "2"},
                                                        {"f16", "65520"},
                                                        {"f32", "1e39"},
                                                        {"f64", "1e309"},
                                                        {"f8e4m3fn", "480"},
                                                        {"f32", "nan(0x0)"},
                                                        {"f8e8m0fnu", "0"}}) {
    const std::string rule = rule_of_number(type, number);
    EXPECT_TRUE(rule == "text.range" || rule == "text.number")
        << type << " " << number << ": " << rule;
  }
}

TEST(Parser, WhatIsNoNumberIsRejected) {
  for (const char* number : {"1x", "1e", "--1", "1.2.3", ".", "e5", "0x10",
                             "infinity", "nan(1)", "+1", "1-"}) {
    EXPECT_NE(rule_of_number("f32", number), "accepted") << number;
    EXPECT_NE(rule_of_number("bf16", number), "accepted") << number;
  }
}

TEST(Parser, IntegersReachTheEndsOfTheirTypes) {
  EXPECT_EQ(bits_of("s64", "-9223372036854775808"), uint64_t{1} << 63);
  EXPECT_EQ(bits_of("u64", "18446744073709551615"), ~uint64_t{0});
  EXPECT_EQ(bits_of("u64", "-1"), ~uint64_t{0});
  EXPECT_EQ(bits_of("s1", "-1"), 1U);
  EXPECT_EQ(bits_of("s4", "-8"), 8U);
  EXPECT_EQ(rule_of_number("u64", "18446744073709551616"), "text.range");
}

TEST(Parser, HugeConstantsAreRejectedBeforeAllocation) {
  const auto rule = [](const std::string& constant) {
    return error_of("ENTRY e {\n  x = " + constant + "\n}").rule();
  };
  EXPECT_EQ(rule("f32[1000000000000] constant({1})"), "literal.size");
  EXPECT_EQ(rule("f32[1000000000000] constant(1)"), "literal.size");
  EXPECT_EQ(rule("f32[1000000000] constant(1)"), "literal.size");
  EXPECT_EQ(rule("f32[1000000000] constant({1})"), "text.literal");
  EXPECT_EQ(rule("f32[?] constant({1})"), "literal.unbounded");
}

TEST(Parser, ElidedConstantsAreKept) {
  const Module module = parse_entry("x = f32[99999999999] constant({...})");
  EXPECT_EQ(module.entry->root->literal, nullptr);
}

TEST(Parser, OneElementFillsAnArray) {
  const Literal literal = parse_literal("7", parse_shape("s32[2,3]"));
  EXPECT_EQ(print(literal), "{ { 7, 7, 7 }, { 7, 7, 7 } }");
}

TEST(Parser, DynamicLiteralsKeepTheirSizes) {
  const Literal literal = parse_literal_with_shape("f32[<=4](3) {1, 2, 3}");
  EXPECT_EQ(literal.dynamic_sizes(), (std::vector<int64_t>{3}));
  EXPECT_EQ(print(literal), "(3) {1, 2, 3}");
}

TEST(Parser, ABraceBehindAShapeIsALayoutOnlyBeforeElements) {
  EXPECT_EQ(print(parse_literal_with_shape("s32[2] {1, 2}")), "{1, 2}");
  EXPECT_EQ(print(parse_literal_with_shape("s32[2]{0} {1, 2}")), "{1, 2}");
  EXPECT_EQ(print(parse_literal_with_shape("(s32[1], pred[]) ({3}, true)")),
            "({3}, true)");
}

TEST(Parser, NestedOperandsBecomeInstructions) {
  const Module module = parse_entry(
      "constant = f32[] parameter(0)\n"
      "ROOT r = f32[] add(constant, f32[] negate(f32[] constant(1)))");
  ASSERT_EQ(module.entry->instructions.size(), 4U);
  EXPECT_EQ(module.entry->instructions[1]->name, "constant.1");
  EXPECT_EQ(module.entry->root->operands[1]->op->name, "negate");
}

TEST(Parser, TupleElementsAreMadeOnce) {
  const Module module = parse_entry(
      "t = (f32[], (s32[], f32[])) parameter(0)\n"
      "ROOT r = f32[] add(t#1#1, f32[] t#1#1)");
  EXPECT_EQ(module.entry->instructions.size(), 4U);
  EXPECT_EQ(module.entry->root->operands[0], module.entry->root->operands[1]);
}

TEST(Parser, BareInstructionsTakeMissingOperandsAsParameters) {
  const Module module =
      parse("%m = f32[2]{0} multiply(f32[2]{0} %b, f32[2]{0})");
  EXPECT_EQ(module.entry->parameters.size(), 2U);
  EXPECT_EQ(module.entry->parameters[0]->name, "b");
  EXPECT_EQ(module.entry->root->name, "m");
}

TEST(Parser, OneBareInstructionStandsAlone) {
  for (const char* text :
       {"f32[2] negate(f32[2] x)", "ROOT y = u32[] partition-id()\n",
        "y = f32[2] negate(f32[2] x) // the end\n"}) {
    EXPECT_NO_THROW(parse(text)) << text;
  }
  const Error second =
      error_of("y = f32[2] negate(f32[2] x)\n  z = f32[2] abs(f32[2] y)\n");
  EXPECT_EQ(second.rule(), "text.single");
  EXPECT_EQ(second.location(), (Location{2, 3}));
  EXPECT_EQ(error_of("u32[] partition-id() u32[] partition-id()").rule(),
            "text.single");
  EXPECT_EQ(error_of("u32[] partition-id() }").rule(), "text.single");
  EXPECT_EQ(error_of("y = u32[] partition-id()\nHloModule m\n").rule(),
            "text.single");
}

TEST(Parser, InlineComputationsGetNames) {
  const Module module = parse_entry(
      "x = f32[3] parameter(0)\n"
      "z = f32[] constant(0)\n"
      "ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply={\n"
      "  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT c = f32[] add(a, b)\n}");
  ASSERT_EQ(module.computations.size(), 2U);
  EXPECT_EQ(module.computations[0]->name, "to_apply");
}

TEST(Parser, AsyncSugarWrapsTheOperation) {
  const Module module = parse_entry(
      "x = f32[2,3] parameter(0)\n"
      "s = ((f32[2,3]), f32[3,2], u32[]) transpose-start(x), dimensions={1,0}\n"
      "ROOT d = f32[3,2] transpose-done(s)");
  const Instruction& start = *module.entry->instructions[1];
  EXPECT_EQ(start.op->name, "async-start");
  const Computation& wrapped = *start.get<Computation*>("calls");
  EXPECT_EQ(wrapped.root->op->name, "transpose");
  EXPECT_EQ(wrapped.root->get<Ints>("dimensions"), (Ints{1, 0}));
  EXPECT_EQ(wrapped.parameters.size(), 1U);
}

TEST(Parser, UpdatesBindOperandsOfWrappedOperations) {
  const Module module = parse_entry(
      "x = f32[2] parameter(0)\n"
      "s = ((), (), u32[]) negate-start()\n"
      "u = ((f32[2]), f32[2], u32[]) negate-update(s, x)\n"
      "ROOT d = f32[2] negate-done(u)");
  const Instruction& start = *module.entry->instructions[1];
  const Computation& wrapped = *start.get<Computation*>("calls");
  EXPECT_EQ(wrapped.parameters.size(), 1U);
  EXPECT_EQ(wrapped.root->shape, parse_shape("f32[2]"));
}

/// The groups that an all-reduce of four devices is given.
std::vector<Ints> groups_of(const std::string& text) {
  const Module module = parse(
      "a {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n"
      "  ROOT z = f32[] add(x, y)\n}\n"
      "ENTRY e {\n  x = f32[] parameter(0)\n"
      "  ROOT r = f32[] all-reduce(x), to_apply=a, replica_groups=" +
      text + "\n}");
  return module.entry->root->get<ReplicaGroups>("replica_groups").groups;
}

TEST(Parser, ReplicaGroupsOfAllFormsAreExpanded) {
  using Groups = std::vector<Ints>;
  EXPECT_EQ(groups_of("{{0,2},{1,3}}"), (Groups{{0, 2}, {1, 3}}));
  EXPECT_EQ(groups_of("[2,2]<=[4]"), (Groups{{0, 1}, {2, 3}}));
  EXPECT_EQ(groups_of("[2,2]<=[2,2]T(1,0)"), (Groups{{0, 2}, {1, 3}}));
  EXPECT_EQ(groups_of("mesh['x'=2,'y'=2] {'x'}"), (Groups{{0, 2}, {1, 3}}));
  EXPECT_EQ(groups_of("mesh['x'=4] {'x':(2)2}"), (Groups{{0, 1}, {2, 3}}));
  EXPECT_EQ(groups_of("mesh['x'=2,'y'=2] {'y','x'}"), (Groups{{0, 2, 1, 3}}));
  EXPECT_EQ(groups_of("{}"), Groups{});
}

TEST(Parser, WindowFieldsComeInAnyOrder) {
  const Module module = parse(
      "m {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT c = f32[] maximum(a, b)\n}\n"
      "ENTRY e {\n  x = f32[4,4] parameter(0)\n  z = f32[] constant(0)\n"
      "  ROOT r = f32[2,4] reduce-window(x, z), to_apply=m,"
      " window={pad=0_0x-1_2 rhs_dilate=1x2 size=2x2 stride=2x1}\n}");
  const auto& window = module.entry->root->get<Window>("window");
  ASSERT_EQ(window.dims.size(), 2U);
  EXPECT_EQ(window.dims[1].low, -1);
  EXPECT_EQ(window.dims[1].window_dilation, 2);
  EXPECT_EQ(window.dims[0].stride, 2);
}

TEST(Parser, DimensionLabelsGivePositions) {
  const Module module = parse_entry(
      "x = f32[1,4,4,3] parameter(0)\nk = f32[2,2,3,5] parameter(1)\n"
      "ROOT r = f32[1,3,3,5] convolution(x, k), window={size=2x2}, "
      "dim_labels=b01f_01io->b01f");
  const auto& labels = module.entry->root->get<DimLabels>("dim_labels");
  EXPECT_EQ(labels.input.feature, 3);
  EXPECT_EQ(labels.kernel.batch_or_input, 2);
  EXPECT_EQ(labels.kernel.spatial, (Ints{0, 1}));
}

TEST(Parser, DeepTextsAreRejected) {
  const std::string parens(100'000, '(');
  EXPECT_EQ(error_of("ENTRY e { x = " + parens).rule(), "text.depth");
  std::string operands = "ENTRY e { x = f32[] negate(";
  for (int i = 0; i < 100'000; ++i) operands += "f32[] negate(";
  EXPECT_EQ(error_of(operands).rule(), "text.depth");
  std::string shardings = "ENTRY e { x = f32[] iota(), sharding=";
  EXPECT_EQ(error_of(shardings + std::string(100'000, '{')).rule(),
            "text.depth");
  std::string layouts = "ENTRY e { x = f32[2]";
  for (int i = 0; i < 100'000; ++i) layouts += "{0:P(f32[2]";
  EXPECT_EQ(error_of(layouts).rule(), "text.depth");
}

TEST(Parser, BinaryAndTruncatedTextsAreRejected) {
  EXPECT_EQ(error_of("").location(), (Location{1, 1}));
  EXPECT_EQ(error_of(std::string(3, '\0')).phase(), Phase::kParse);
  EXPECT_EQ(error_of("\x7f\x45LF\xff\xfe").phase(), Phase::kParse);
  const std::string whole =
      "HloModule m\nENTRY e {\n  ROOT x = f32[2]{0} "
      "constant({1, 2}), metadata={op_name=\"a\"}\n";
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(error_of(whole.substr(0, size)).phase(), Phase::kParse);
  }
}

TEST(Parser, PutsComputationsBeforeTheirCallers) {
  const Module module = parse(R"(HloModule m
ENTRY main {
  x = f32[] parameter(0)
  ROOT r = f32[] call(x), to_apply=outer
}
inner {
  x = f32[] parameter(0)
  ROOT r = f32[] negate(x)
}
outer {
  x = f32[] parameter(0)
  ROOT r = f32[] call(x), to_apply=inner
})");
  ASSERT_EQ(module.computations.size(), 3U);
  EXPECT_EQ(module.computations[0]->name, "inner");
  EXPECT_EQ(module.computations[1]->name, "outer");
  EXPECT_EQ(module.entry, module.computations[2].get());
  EXPECT_TRUE(equal(parse(print(module)), module));
}

TEST(Parser, RefusesComputationsThatNeverCome) {
  const auto rule = [](const std::string& text) {
    try {
      parse(text);
    } catch (const Error& error) {
      return std::string(error.rule());
    }
    return std::string();
  };
  EXPECT_EQ(rule("HloModule m ENTRY main { x = f32[] parameter(0) ROOT r = "
                 "f32[] call(x), to_apply=none }"),
            "text.undefined");
  EXPECT_EQ(rule("HloModule m ENTRY main { x = f32[] parameter(0) ROOT r = "
                 "f32[] call(x), to_apply=main }"),
            "text.undefined");
  EXPECT_EQ(rule("HloModule m f { x = f32[] parameter(0) } ENTRY main { x = "
                 "f32[] parameter(0) ROOT r = f32[] call(x), to_apply=g } f { "
                 "x = f32[] parameter(0) }"),
            "text.duplicate");
}

}  // namespace
}  // namespace hlo::text
