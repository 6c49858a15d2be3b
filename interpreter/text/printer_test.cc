#include "interpreter/text/printer.h"

#include <gtest/gtest.h>

#include "interpreter/text/parser.h"

namespace hlo::text {
namespace {

/// How `attribute` of an instruction that takes it is printed back.
std::string printed(const std::string& instruction) {
  const Module module = parse(
      "ENTRY e {\n  x = f32[4,4] parameter(0)\n  ROOT r = " + instruction +
      "\n}");
  const std::string text = print(*module.entry->root);
  return text.substr(std::string("ROOT %r = ").size());
}

std::string number(const std::string& type, const std::string& text) {
  return print(parse_literal(text, parse_shape(type + "[]")));
}

TEST(Printer, PutsAttributesIntoAFixedOrder) {
  EXPECT_EQ(printed("f32[4,4] copy(x), metadata={op_name='a'}, "
                    "sharding={replicated}"),
            "f32[4,4] copy(%x), sharding={replicated}, "
            "metadata={op_name='a'}");
}

TEST(Printer, PrintsShortestDecimals) {
  EXPECT_EQ(number("f32", "0.1000000001"), "0.1");
  EXPECT_EQ(number("f64", "0.1000000001"), "0.1000000001");
  EXPECT_EQ(number("f32", "3.4028234663852886e38"), "3.4028235e+38");
  EXPECT_EQ(number("f16", "0.1"), "0.1");
  EXPECT_EQ(number("bf16", "3"), "3");
}

TEST(Printer, KeepsZerosNansAndInfinities) {
  for (const char* text : {"-0.0", "nan", "-nan", "nan(0x1)", "-nan(0x7f)",
                           "inf", "-inf", "0", "1"}) {
    EXPECT_EQ(number("f32", text), text);
    EXPECT_EQ(number("bf16", text), text);
    EXPECT_EQ(number("f64", text), text);
  }
  EXPECT_EQ(number("c64", "(-0.0, nan(0x7))"), "(-0.0, nan(0x7))");
}

TEST(Printer, EveryCodeOfSmallTypesReadsBack) {
  for (const TypeInfo& type : all_types()) {
    if (!is_array_type(type.type) || type.bits > 16) continue;
    for (uint64_t code = 0; code < uint64_t{1} << type.bits; ++code) {
      const Scalar scalar{type.type, {code, 0}};
      const Literal back =
          parse_literal(print(scalar), Shape::scalar(type.type));
      ASSERT_EQ(back.scalar(), scalar) << type.name << " " << print(scalar);
    }
  }
}

TEST(Printer, NestsBracesLikeTheDimensions) {
  const auto round_trip = [](const std::string& shape,
                             const std::string& text) {
    EXPECT_EQ(print(parse_literal(text, parse_shape(shape))), text);
  };
  round_trip("s8[3]", "{1, -2, 3}");
  round_trip("s8[2,2]", "{ { 1, 2 }, { 3, 4 } }");
  round_trip("s8[1,1,2]", "{ { { 1, 2 } } }");
  round_trip("s8[0,7]", "{}");
  round_trip("s8[2,0]", "{ {}, {} }");
  round_trip("s8[2,1,0,5]", "{ { {} }, { {} } }");
  round_trip("s8[5000,0]", "{}");
  round_trip("pred[2]", "{1, 0}");
  round_trip("pred[]", "true");
  round_trip("(f32[], (s32[1], ()))", "(1, ({2}, ()))");
}

TEST(Printer, QuotesStrings) {
  EXPECT_EQ(printed("f32[] custom-call(x), "
                    "custom_call_target='a\"\\n\\x41\\101\\xff'"),
            "f32[] custom-call(%x), "
            "custom_call_target=\"a\\\"\\nAA\\377\"");
}

TEST(Printer, SqueezesJson) {
  EXPECT_EQ(printed("f32[4,4] copy(x), backend_config={ \"a\" : [ 1 ,\n 2 ], "
                    "\"b  c\": { } }"),
            "f32[4,4] copy(%x), backend_config={\"a\" : [1, 2], "
            "\"b  c\": {}}");
}

TEST(Printer, SpellsShardingsInOneWay) {
  const auto sharding = [](const std::string& text) {
    return printed("f32[4,4] copy(x), sharding=" + text)
        .substr(std::string("f32[4,4] copy(%x), sharding=").size());
  };
  EXPECT_EQ(sharding("{ devices=[2, 2] <= [4]  last_tile_dim_replicate }"),
            "{devices=[2,2]<=[4] last_tile_dim_replicate}");
  EXPECT_EQ(sharding("{metadata={op_name=\"a\"} maximal device=1}"),
            "{maximal device=1 metadata={op_name=\"a\"}}");
  EXPECT_EQ(sharding("{{replicated},{manual}}"), "{{replicated}, {manual}}");
  EXPECT_EQ(sharding("{mesh['x'=2,'y'=2] [{'x','y':(1)2}, {?}],"
                     "replicated={'y'}}"),
            "{mesh['x'=2,'y'=2], [{'x', 'y':(1)2}, {?}], replicated={'y'}}");
}

TEST(Printer, PrintsWhatTheHeaderSays) {
  const std::string text =
      "HloModule m, is_scheduled=true, input_output_alias={{}: (0, {})}, "
      "allow_spmd_sharding_propagation_to_output={true,false}, "
      "frontend_attributes={a=\"b\",c={d = 1}}, "
      "entry_computation_layout={(f32[2]{0})->f32[2]{0}}, replica_count=2\n"
      "\nFileNames\n1 \"a.py\"\n\nStackFrames\n1 {file_location_id=1}\n"
      "\nENTRY %e {\n  ROOT %x = f32[2]{0} parameter(0)\n}\n";
  EXPECT_EQ(print(parse(text)), text);
}

TEST(Printer, KeepsExecutionThreads) {
  const std::string text =
      "HloModule m\n\n%a {\n  ROOT %x = f32[] parameter(0)\n}, "
      "execution_thread=\"side\"\n\nENTRY %e {\n  ROOT %x = f32[] "
      "parameter(0)\n}\n";
  EXPECT_EQ(print(parse(text)), text);
}

TEST(Equal, TellsModulesApart) {
  const std::string base =
      "ENTRY e {\n  ROOT x = f32[2]{0} constant({1, 2})\n}";
  const Module module = parse(base);
  const auto is_equal = [&](const std::string& other) {
    return equal(module, parse("ENTRY e {\n  ROOT x = " + other + "\n}"));
  };
  EXPECT_TRUE(equal(module, parse(base)));
  EXPECT_FALSE(is_equal("f32[2]{0} constant({1, 3})"));
  EXPECT_FALSE(is_equal("f32[2] constant({1, 2})"));
  EXPECT_FALSE(is_equal("f32[2]{0} constant({...})"));
  EXPECT_FALSE(is_equal("f32[2]{0} constant({1, 2}), sharding={manual}"));
}

TEST(Equal, ComparesLiteralsBitByBit) {
  const auto module = [](const std::string& value) {
    return parse("ENTRY e {\n  ROOT x = f32[] constant(" + value + ")\n}");
  };
  EXPECT_FALSE(equal(module("0"), module("-0")));
  EXPECT_FALSE(equal(module("nan"), module("nan(0x1)")));
  EXPECT_TRUE(equal(module("nan"), module("nan(0x400000)")));
}

}  // namespace
}  // namespace hlo::text
