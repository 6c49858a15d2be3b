#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "interpreter/rejection.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify.h"

namespace hlo::text {
namespace {

using hlo::testing::rejection;

struct Fence {
  std::string info;
  std::string body;
  int line = 0;
};

std::vector<Fence> read_fences() {
  std::ifstream stream(std::string(ASSAY_SOURCE_DIR) + "/spec/text.md");
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

TEST(TextPage, SyntaxExamplesPrintBackToThemselves) {
  for (const Fence& fence : read_fences()) {
    if (fence.info != "hlo syntax") continue;
    SCOPED_TRACE(fence.line);
    const Module module = verified_module(fence.body);
    EXPECT_EQ(print(module), fence.body);
  }
}

TEST(TextPage, InvalidExamplesAreRejectedByTheirRule) {
  const std::string kind = "hlo invalid ";
  size_t count = 0;
  for (const Fence& fence : read_fences()) {
    if (!fence.info.starts_with(kind)) continue;
    SCOPED_TRACE(fence.line);
    const auto error = rejection(fence.body);
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->rule(), fence.info.substr(kind.size())) << error->what();
    EXPECT_GT(error->location().line, 0);
    ++count;
  }
  EXPECT_GE(count, 37U);
}

}  // namespace
}  // namespace hlo::text
