#include <gtest/gtest.h>

#include <string>

#include "conformance/commands/run_check.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {
namespace {

/// What the command prints of one case, without findings in full.
std::string report(const std::string& backend, bool verbose) {
  CheckOptions options;
  options.backend = backend;
  options.cases = {ASSAY_SOURCE_DIR "/conformance/vectors/maximum.jsonl"};
  options.filter = "maximum/f32/values";
  options.failures = 0;
  options.verbose = verbose;
  testing::internal::CaptureStdout();
  run_check(options);
  return testing::internal::GetCapturedStdout();
}

TEST(Check, PrintsALineForEachOperationWithAFinding) {
  EXPECT_EQ(report("mutant:drop-nan", /*verbose=*/false),
            "maximum: 0 of 1 case conforms, 1 differs\n\n"
            "1 more; --failures N shows more of them\n\n"
            "mutant:drop-nan: 0 of 1 case conforms, 1 differs\n");
  EXPECT_EQ(report("interpreter:", /*verbose=*/false),
            "interpreter: 1 of 1 case conforms\n");
}

TEST(Check, PrintsATableWhereItIsVerbose) {
  const std::string text = report("interpreter:", /*verbose=*/true);
  EXPECT_TRUE(text.starts_with("operation              type ")) << text;
  EXPECT_NE(text.find("\nmaximum                f32 "), std::string::npos);
}

}  // namespace
}  // namespace hlo::conformance
