#include <gtest/gtest.h>

#include <string>

#include "conformance/case/case_files.h"
#include "conformance/judge/golden.h"

namespace hlo::conformance {
namespace {

TEST(Vectors, HoldOnTheReference) {
  const std::string folder =
      std::string(ASSAY_SOURCE_DIR) + "/conformance/vectors";
  for (const std::string& file : case_files({folder})) {
    if (!file.ends_with(".jsonl")) continue;
    for (const Case& c : load_cases(file)) {
      const std::string problem = verify_golden(c);
      EXPECT_EQ(problem, "") << c.file << ":" << c.line << ": " << c.id;
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
