#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/stablehlo/parse.h"

namespace hlo::stablehlo {
namespace {

struct Fence {
  std::string info;
  std::string body;
  int line = 0;
};

std::vector<Fence> read_fences() {
  std::ifstream stream(std::string(ASSAY_SOURCE_DIR) + "/spec/stablehlo.md");
  std::vector<Fence> fences;
  bool is_inside = false;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.starts_with("```")) {
      is_inside = !is_inside;
      if (is_inside) fences.push_back({line.substr(3), "", number});
    } else if (is_inside) {
      fences.back().body += line + "\n";
    }
  }
  return fences;
}

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
  for (const Fence& fence : read_fences()) {
    if (fence.info != "mlir syntax") continue;
    SCOPED_TRACE(fence.line);
    EXPECT_TRUE(is_stablehlo(fence.body));
    const auto error = rejection(fence.body);
    EXPECT_FALSE(error.has_value()) << error->what();
    ++count;
  }
  EXPECT_GE(count, 2U);
}

TEST(StableHloPage, InvalidExamplesAreRejectedByTheirRule) {
  const std::string kind = "mlir invalid ";
  size_t count = 0;
  for (const Fence& fence : read_fences()) {
    if (!fence.info.starts_with(kind)) continue;
    SCOPED_TRACE(fence.line);
    const auto error = rejection(fence.body);
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->rule(), fence.info.substr(kind.size())) << error->what();
    EXPECT_EQ(error->phase(), Phase::kParse);
    EXPECT_GT(error->location().line, 0);
    ++count;
  }
  EXPECT_GE(count, 20U);
}

}  // namespace
}  // namespace hlo::stablehlo
