#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interpreter/error.h"
#include "interpreter/stablehlo/export/export.h"
#include "interpreter/testing/page_blocks.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

TEST(StablehloExport, ExamplesOfThePageHold) {
  const std::vector<PageBlock> blocks =
      page_blocks("stablehlo_export.md", "export example");
  EXPECT_GE(blocks.size(), 3U);
  for (const PageBlock& block : blocks) {
    SCOPED_TRACE(place(block));
    const size_t line = block.text.find("---\n");
    ASSERT_NE(line, std::string::npos);
    EXPECT_EQ(stablehlo::print(verified_module(block.text.substr(0, line))),
              block.text.substr(line + 4));
  }
}

TEST(StablehloExport, WhatCannotBeSaidIsRejected) {
  const std::vector<PageBlock> blocks =
      page_blocks("stablehlo_export.md", "export invalid stablehlo.export");
  EXPECT_EQ(blocks.size(), 2U);
  for (const PageBlock& block : blocks) {
    SCOPED_TRACE(place(block));
    try {
      stablehlo::print(verified_module(block.text));
      ADD_FAILURE() << "was printed";
    } catch (const Error& error) {
      EXPECT_EQ(error.rule(), "stablehlo.export");
      EXPECT_NE(error.location().line, 0);
    }
  }
}

// Each level applies the next three times: the text must not be of 3^30 parts.
TEST(StablehloExport, RegionsInRegionsDoNotMultiply) {
  std::string source =
      "HloModule m\nf0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n";
  for (int i = 1; i <= 30; ++i) {
    source += fmt::format(
        "f{0} {{ p = f32[] parameter(0) a = f32[] map(p), to_apply=f{1} "
        "b = f32[] map(a), to_apply=f{1} ROOT c = f32[] map(b), "
        "to_apply=f{1} }}\n",
        i, i - 1);
  }
  source +=
      "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] map(p), to_apply=f30 }";
  EXPECT_LT(stablehlo::print(verified_module(source)).size(), 100000U);
}

}  // namespace
}  // namespace hlo::conformance
