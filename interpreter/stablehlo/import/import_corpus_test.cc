#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "interpreter/stablehlo/import/import.h"
#include "interpreter/stablehlo/read/parse.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::stablehlo {
namespace {

std::filesystem::path corpus() {
  const char* data = std::getenv("ASSAY_DATA");
  return std::filesystem::path(data == nullptr ? "../shared/data" : data) /
         "stablehlo";
}

std::string content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> mlir_files() {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(corpus())) return files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(corpus())) {
    if (entry.path().extension() == ".mlir") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// Every program of the public corpus becomes a module that verifies, and whose
/// text reads back as the same module.
TEST(ImportCorpus, ProgramsBecomeModulesThatVerify) {
  const auto files = mlir_files();
  if (files.empty()) GTEST_SKIP() << "no corpus in " << corpus();
  int programs = 0;
  for (const auto& file : files) {
    const std::string text = content(file);
    try {
      for (const Program& program : parse(text)) {
        Module module = import_program(program);
        verify(module);
        ++programs;
        const Module again = verified_module(text::print(module));
        EXPECT_TRUE(equal(module, again)) << file;
      }
    } catch (const Error& error) {
      ADD_FAILURE() << file.filename() << ": " << error.what();
    }
  }
  EXPECT_GE(programs, 1300);
}

}  // namespace
}  // namespace hlo::stablehlo
