#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <utility>

#include "conformance/commands/run_check.h"
#include "conformance/files/output_file.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/summary.h"

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

/// A backend that knows four operations of f32, and no constants.
const char* const kLittle =
    "process:python3 " ASSAY_SOURCE_DIR "/backends/process/examples/worker.py";

TEST(Check, CountsWhatTheVerifierRefusesForNoBackend) {
  CheckOptions options;
  options.backend = kLittle;
  options.cases = {ASSAY_SOURCE_DIR "/spec/ops/all_reduce.md"};
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_check(options), kNothing);
  std::fflush(stdout);
  const std::string report = testing::internal::GetCapturedStdout();
  EXPECT_NE(report.find("worker.py: 0 of "), std::string::npos) << report;
  EXPECT_NE(report.find("; the verifier refused "), std::string::npos)
      << report;
}

TEST(Check, FailsWhereWhatIsRequiredIsNotSupported) {
  CheckOptions options;
  options.backend = kLittle;
  options.cases = {ASSAY_SOURCE_DIR "/spec/ops/all_reduce.md",
                   ASSAY_SOURCE_DIR "/conformance/vectors/add.jsonl"};
  const auto run = [&](const std::string& require) {
    options.require = require;
    testing::internal::CaptureStdout();
    const int code = run_check(options);
    std::fflush(stdout);
    return std::pair(code, testing::internal::GetCapturedStdout());
  };
  EXPECT_EQ(run("").first, kConforms);
  EXPECT_EQ(run("add/f32/values").first, kConforms);
  const auto [code, text] = run("*/example-*");
  EXPECT_EQ(code, kDiffers);
  EXPECT_NE(text.find(" missing"), std::string::npos) << text;
  EXPECT_NE(text.find(" --require '*/example-*' --filter 'all"),
            std::string::npos)
      << text;
  EXPECT_EQ(run("pad/*").first, kUsage);
}

TEST(Check, TakesABackendWithoutItsColon) {
  const std::string text = report("cpu", /*verbose=*/false);
  EXPECT_EQ(text, "cpu: 1 of 1 case conforms\n");
}

TEST(Check, DrawsLayoutsByASeed) {
  CheckOptions options;
  options.tier = "layouts";
  options.filter = "maximum/f32/values.layouts-7";
  options.backend = "interpreter:";
  options.drawing.seed = 7;
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_check(options), kConforms);
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "interpreter: 1 of 1 case conforms\n");
  options.tier = "smoke";
  EXPECT_EQ(run_check(options), kUsage);
}

// What is reproduced are the cases that were judged, in their file.
TEST(Check, NamesTheFilesOfCasesInTheCommandThatReproduces) {
  const std::string file = testing::TempDir() + "some cases.jsonl";
  write_file(
      file,
      R"({"generator":"g","command":"c","notes":{"A":"n"},"do_not_edit":true})"
      "\n"
      R"({"id":"negate/f32/wrong","statement":"s","why":["A"],"hlo":"HloModule m\n\nENTRY main {\n  x = f32[] parameter(0)\n  ROOT r = f32[] negate(x)\n}\n","inputs":["f32[] 3f800000"],"expect":[{"bits":"f32[] 3f800000"}],"source":"exact"})"
      "\n");
  CheckOptions options;
  options.cases = {file};
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_check(options), kDiffers);
  std::fflush(stdout);
  const std::string report = testing::internal::GetCapturedStdout();
  EXPECT_NE(report.find("reproduce  assay check " + shell_quoted(file) +
                        " --backend 'cpu:' --filter 'negate/f32/wrong'"),
            std::string::npos)
      << report;
  // A profile that the backend does not declare, and a limit, are part of it.
  options.backend = "cpu:?fast-math=on";
  options.timeout = 5;
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_check(options), kDiffers);
  std::fflush(stdout);
  const std::string other = testing::internal::GetCapturedStdout();
  EXPECT_NE(other.find(" --profile 'tight' --timeout 5 --filter"),
            std::string::npos)
      << other;
}

}  // namespace
}  // namespace hlo::conformance
