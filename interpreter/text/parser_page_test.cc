#include <gtest/gtest.h>

#include <string>

#include "interpreter/testing/page_blocks.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/testing/rejection.h"
#include "interpreter/verify/verify.h"

namespace hlo::text {
namespace {

using hlo::testing::rejection;

TEST(TextPage, SyntaxExamplesPrintBackToThemselves) {
  for (const PageBlock& block : page_blocks("text.md", "hlo syntax")) {
    SCOPED_TRACE(place(block));
    const Module module = verified_module(block.text);
    EXPECT_EQ(print(module), block.text);
  }
}

TEST(TextPage, InvalidExamplesAreRejectedByTheirRule) {
  const std::string kind = "hlo invalid ";
  size_t count = 0;
  for (const PageBlock& block : page_blocks("text.md", kind)) {
    SCOPED_TRACE(place(block));
    const auto error = rejection(block.text);
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->rule(), block.info.substr(kind.size())) << error->what();
    EXPECT_GT(error->location().line, 0);
    ++count;
  }
  EXPECT_GE(count, 37U);
}

}  // namespace
}  // namespace hlo::text
