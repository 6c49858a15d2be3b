#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "interpreter/stablehlo/read/parse.h"
#include "interpreter/text/parser.h"

namespace hlo::stablehlo {
namespace {

namespace fs = std::filesystem;

fs::path folder() {
  const char* data = std::getenv("ASSAY_DATA");
  return fs::path(data != nullptr ? data : "../shared/data") / "stablehlo";
}

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// How many of the files there are; each that does not parse is a failure.
int count_files(const fs::path& folder) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".mlir") continue;
    ++files;
    const std::string source = contents(entry.path());
    EXPECT_TRUE(is_stablehlo(source)) << entry.path();
    try {
      EXPECT_FALSE(parse(source).empty()) << entry.path();
    } catch (const Error& error) {
      ADD_FAILURE() << text::render(error, entry.path().string(), source);
    }
  }
  return files;
}

TEST(StableHloCorpus, TestDataParses) {
  if (!fs::exists(folder())) GTEST_SKIP() << "no " << folder();
  EXPECT_GE(count_files(folder() / "testdata"), 1203);
}

TEST(StableHloCorpus, InterpreterTestsParse) {
  if (!fs::exists(folder())) GTEST_SKIP() << "no " << folder();
  EXPECT_GE(count_files(folder() / "interpret"), 49);
}

}  // namespace
}  // namespace hlo::stablehlo
