#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/commands/results/run_eval.h"
#include "conformance/files/read_file.h"
#include "conformance/report/exit_code.h"

// The programs in conformance/programs/stablehlo, whose checks all hold. What
// they expect has been worked out by hand from the specification.

namespace hlo::conformance {
namespace {

std::vector<std::filesystem::path> program_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::string(ASSAY_SOURCE_DIR) + "/conformance/programs/stablehlo")) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// How often `part` stands in `text`.
size_t count(std::string_view text, std::string_view part) {
  size_t result = 0;
  for (size_t i = text.find(part); i != std::string_view::npos;
       i = text.find(part, i + part.size())) {
    ++result;
  }
  return result;
}

TEST(StableHloPrograms, ChecksHold) {
  size_t checks = 0;
  for (const auto& file : program_files()) {
    SCOPED_TRACE(file.filename());
    EvalOptions options;
    options.file = file.string();
    options.output = "none";
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = run_eval(options);
    std::fflush(stdout);
    const std::string verdicts = testing::internal::GetCapturedStdout() +
                                 testing::internal::GetCapturedStderr();
    EXPECT_EQ(code, kConforms) << verdicts;
    const size_t held =
        count(verdicts, ": bit-equal") + count(verdicts, ": within its");
    EXPECT_EQ(held, count(read_file(file.string()), "check.expect_"))
        << verdicts;
    checks += held;
  }
  EXPECT_GE(checks, 150U);
}

}  // namespace
}  // namespace hlo::conformance
