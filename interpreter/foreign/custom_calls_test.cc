#include "interpreter/foreign/custom_calls.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/testing/page_blocks.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

/// ENTRY main with these lines, evaluated with the functions of the library
/// that is built beside this test.
Literal run(const std::string& lines, const CustomCalls& functions) {
  Module module = text::parse("HloModule m\n\nENTRY main {\n" + lines + "}\n");
  verify(module);
  return evaluate(module, {}, {.threads = 2, .custom_calls = &functions});
}

CustomCalls library() {
  CustomCalls functions;
  functions.load(ASSAY_FOREIGN_LIBRARY);
  return functions;
}

std::string result(const std::string& lines) {
  return text::print(run(lines, library()));
}

std::string rule(const std::string& lines, const CustomCalls& functions) {
  try {
    run(lines, functions);
  } catch (const Error& error) {
    EXPECT_GT(error.location().line, 0);
    return error.rule();
  }
  return "";
}

std::string rule(const std::string& lines) { return rule(lines, library()); }

TEST(CustomCalls, TheExampleOfTheSeedReadsRowMajorArrays) {
  EXPECT_EQ(result("  x = f32[2] constant({1, 2})\n"
                   "  y = f32[2,3] constant({{10,20,30}, {40,50,60}})\n"
                   "  ROOT r = f32[3,3] custom-call(x, y), "
                   "custom_call_target=\"myfunc\"\n"),
            "{ { 42, 0, 0 }, { 10, 20, 30 }, { 80, 100, 120 } }");
}

TEST(CustomCalls, ThePageShowsTheFunctionThatIsTested) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) +
                     "/interpreter/foreign/foreign_functions.cc");
  std::stringstream source;
  source << file.rdbuf();
  const std::vector<PageBlock> blocks =
      page_blocks("ops/custom_call.md", "c++");
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_NE(source.str().find(blocks[0].text), std::string::npos);
}

TEST(CustomCalls, TuplesAreArraysOfPointers) {
  EXPECT_EQ(result("  x = f32[2] constant({1, 2})\n"
                   "  n = s32[] constant(7)\n"
                   "  t = token[] after-all()\n"
                   "  p = (s32[], token[]) tuple(n, t)\n"
                   "  q = (f32[2], (s32[], token[])) tuple(x, p)\n"
                   "  c = (s32[], f32[2], token[]) custom-call(q), "
                   "custom_call_target=\"swap_tuple\"\n"
                   "  a = s32[] get-tuple-element(c), index=0\n"
                   "  b = f32[2] get-tuple-element(c), index=1\n"
                   "  ROOT r = (s32[], f32[2]) tuple(a, b)\n"),
            text::print(Literal::tuple(
                {text::parse_literal_with_shape("s32[] 7"),
                 text::parse_literal_with_shape("f32[2] {1, 2}")})));
}

TEST(CustomCalls, BuffersAreAlignedEvenWhereTheyAreEmpty) {
  EXPECT_EQ(result("  x = u8[3] constant({1, 2, 3})\n"
                   "  y = f32[0,5] iota(), iota_dimension=1\n"
                   "  ROOT r = u64[3] custom-call(x, y), "
                   "custom_call_target=\"alignments\"\n"),
            "{0, 0, 0}");
}

TEST(CustomCalls, DemandedLayoutsAreThoseOfTheBuffers) {
  const std::string x = "  x = f32[2,3] constant({{1,2,3}, {4,5,6}})\n";
  // Columns one after the other: 1 4 2 5 3 6.
  EXPECT_EQ(result(x + "  ROOT r = f32[6]{0} custom-call(x), "
                       "custom_call_target=\"copy6\", "
                       "operand_layout_constraints={f32[2,3]{0,1}}\n"),
            "{1, 4, 2, 5, 3, 6}");
  EXPECT_EQ(result(x + "  ROOT r = f32[2,3]{0,1} custom-call(x), "
                       "custom_call_target=\"copy6\", "
                       "operand_layout_constraints={f32[2,3]{1,0}}\n"),
            "{ { 1, 3, 5 }, { 2, 4, 6 } }");
  // Without them the layout of the shape does not count.
  EXPECT_EQ(result(x + "  ROOT r = f32[2,3]{0,1} custom-call(x), "
                       "custom_call_target=\"copy6\"\n"),
            "{ { 1, 2, 3 }, { 4, 5, 6 } }");
}

TEST(CustomCalls, OperandsAreCopiesUnlessTheResultSharesTheirBuffers) {
  EXPECT_EQ(result("  x = s32[] constant(4)\n"
                   "  c = s32[] custom-call(x), "
                   "custom_call_target=\"count_up\"\n"
                   "  ROOT r = s32[] add(x, c)\n"),
            "4");
  EXPECT_EQ(result("  x = s32[] constant(4)\n"
                   "  c = s32[] custom-call(x), "
                   "custom_call_target=\"count_up\", "
                   "output_to_operand_aliasing={{}: (0, {})}\n"
                   "  ROOT r = s32[] multiply(x, c)\n"),
            "20");
}

TEST(CustomCalls, WhatAFunctionDoesNotWriteIsZero) {
  EXPECT_EQ(result("  ROOT r = f32[2] custom-call(), "
                   "custom_call_target=\"nothing\"\n"),
            "{0, 0}");
}

TEST(CustomCalls, OnlyTheBitsOfNarrowTypesCount) {
  const auto all_bits = [](const std::string& type) {
    return result("  ROOT r = " + type +
                  "[4] custom-call(), custom_call_target=\"all_bits\"\n");
  };
  EXPECT_EQ(all_bits("s4"), "{-1, -1, -1, -1}");
  EXPECT_EQ(all_bits("u2"), "{3, 3, 3, 3}");
  EXPECT_EQ(all_bits("pred"), "{1, 1, 1, 1}");
}

TEST(CustomCalls, RegionsCallThem) {
  Module module = text::parse(
      "HloModule m\n\nf {\n  a = f32[] parameter(0)\n"
      "  ROOT b = f32[] custom-call(a), custom_call_target=\"twice\"\n}\n\n"
      "ENTRY main {\n  x = f32[3] constant({1, 2, -0.0})\n"
      "  ROOT r = f32[3] map(x), dimensions={0}, to_apply=f\n}\n");
  verify(module);
  const CustomCalls functions = library();
  EXPECT_EQ(text::print(evaluate(module, {}, {.custom_calls = &functions})),
            "{2, 4, -0.0}");
}

constexpr auto kUnknown = [](std::string_view target) {
  return "  ROOT r = f32[2] custom-call(), custom_call_target=\"" +
         std::string(target) + "\"\n";
};

TEST(CustomCalls, TargetsThatNobodyHasAreErrors) {
  EXPECT_EQ(rule(kUnknown("absent")), "custom-call.target");
  EXPECT_EQ(rule(kUnknown("not_a_function")), "custom-call.target");
  EXPECT_EQ(rule(kUnknown("nothing"), CustomCalls()), "custom-call.target");
}

TEST(CustomCalls, FunctionsThatALibraryOnlyNeedsAreNotItsOwn) {
  EXPECT_EQ(rule(kUnknown("memcpy")), "custom-call.target");
  EXPECT_EQ(rule(kUnknown("abort")), "custom-call.target");
}

TEST(CustomCalls, TheSpecificationComesFirst) {
  EXPECT_EQ(result("  x = s32[1] constant({5})\n"
                   "  ROOT r = s32[1] custom-call(x), "
                   "custom_call_target=\"Sharding\"\n"),
            "{5}");
  EXPECT_EQ(rule("  x = s32[2] constant({5, 6})\n"
                 "  ROOT r = s32[1] custom-call(x), "
                 "custom_call_target=\"Sharding\"\n"),
            "custom-call.target");
}

TEST(CustomCalls, AddedFunctionsStandBeforeLibraries) {
  CustomCalls functions = library();
  functions.add("twice", [](void* out, void** in) {
    *static_cast<float*>(out) = 3 * *static_cast<float*>(in[0]);
  });
  functions.add(
      "a.b", [](void* out, void** /*in*/) { *static_cast<float*>(out) = 9; });
  const auto call = [&](const std::string& target) {
    return text::print(
        run("  x = f32[] constant(1)\n  ROOT r = f32[] "
            "custom-call(x), custom_call_target=\"" +
                target + "\"\n",
            functions));
  };
  EXPECT_EQ(call("twice"), "3");
  EXPECT_EQ(call("a.b"), "9");
  functions.add("a.b", functions.find("twice"));
  EXPECT_EQ(call("a.b"), "3");
}

TEST(CustomCalls, CallsThatNoFunctionCanTakeAreErrors) {
  EXPECT_EQ(rule("  ROOT r = f32[2] custom-call(), "
                 "custom_call_target=\"nothing\", "
                 "api_version=API_VERSION_TYPED_FFI\n"),
            "custom-call.target");
  EXPECT_EQ(rule("  ROOT r = f32[<=2] custom-call(), "
                 "custom_call_target=\"nothing\"\n"),
            "custom-call.target");
  // Tiles of 16 numbers do not fit into the place of 6.
  EXPECT_EQ(rule("  x = f32[2,3] constant({{1,2,3}, {4,5,6}})\n"
                 "  ROOT r = f32[2,3]{1,0} custom-call(x), "
                 "custom_call_target=\"nothing\", "
                 "operand_layout_constraints={f32[2,3]{1,0:T(4,4)}}, "
                 "output_to_operand_aliasing={{}: (0, {})}\n"),
            "custom-call.target");
}

TEST(CustomCalls, ALibraryThatIsNoneIsAnError) {
  const auto load = [](const std::string& path) -> std::string {
    try {
      CustomCalls().load(path);
    } catch (const Error& error) {
      return error.rule();
    }
    return "";
  };
  EXPECT_EQ(load("/nowhere/libnone.so"), "file.library");
  EXPECT_EQ(load(std::string(ASSAY_SOURCE_DIR) + "/README.md"), "file.library");
  // Not one of the system's either, which dlopen looks for by such names.
  EXPECT_EQ(load("libc.so.6"), "file.library");
}

}  // namespace
}  // namespace hlo
