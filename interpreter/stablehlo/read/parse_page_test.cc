#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "interpreter/stablehlo/read/parse.h"
#include "interpreter/testing/page_blocks.h"

namespace hlo::stablehlo {
namespace {

std::optional<Error> rejection(const std::string& source) {
  try {
    parse(source);
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

TEST(StableHloPage, SyntaxExamplesParse) {
  size_t count = 0;
  for (const PageBlock& block : page_blocks("stablehlo.md", "mlir syntax")) {
    SCOPED_TRACE(place(block));
    EXPECT_TRUE(is_stablehlo(block.text));
    const auto error = rejection(block.text);
    EXPECT_FALSE(error.has_value()) << error->what();
    ++count;
  }
  EXPECT_GE(count, 2U);
}

TEST(StableHloPage, InvalidExamplesAreRejectedByTheirRule) {
  const std::string kind = "mlir invalid ";
  size_t count = 0;
  for (const PageBlock& block : page_blocks("stablehlo.md", kind)) {
    SCOPED_TRACE(place(block));
    const auto error = rejection(block.text);
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->rule(), block.info.substr(kind.size())) << error->what();
    EXPECT_EQ(error->phase(), Phase::kParse);
    EXPECT_GT(error->location().line, 0);
    ++count;
  }
  EXPECT_GE(count, 20U);
}

}  // namespace
}  // namespace hlo::stablehlo
