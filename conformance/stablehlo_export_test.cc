#include <gtest/gtest.h>

#include "conformance/page_blocks.h"
#include "interpreter/error.h"
#include "interpreter/stablehlo/export.h"
#include "interpreter/verify.h"

namespace hlo::conformance {
namespace {

TEST(StablehloExport, ExamplesOfThePageHold) {
  const std::vector<Block> blocks =
      page_blocks("stablehlo_export.md", "export example");
  EXPECT_GE(blocks.size(), 3U);
  for (const Block& block : blocks) {
    SCOPED_TRACE(place(block));
    const size_t line = block.text.find("---\n");
    ASSERT_NE(line, std::string::npos);
    EXPECT_EQ(stablehlo::print(verified_module(block.text.substr(0, line))),
              block.text.substr(line + 4));
  }
}

TEST(StablehloExport, WhatCannotBeSaidIsRejected) {
  const std::vector<Block> blocks =
      page_blocks("stablehlo_export.md", "export invalid stablehlo.export");
  EXPECT_EQ(blocks.size(), 1U);
  for (const Block& block : blocks) {
    SCOPED_TRACE(place(block));
    try {
      stablehlo::print(verified_module(block.text));
      ADD_FAILURE() << "was printed";
    } catch (const Error& error) {
      EXPECT_EQ(error.rule(), "stablehlo.export");
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
