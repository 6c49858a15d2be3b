#include "conformance/commands/run_golden.h"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "conformance/case/case_files.h"
#include "conformance/commands/verified_program.h"
#include "conformance/judge/golden.h"
#include "conformance/literals/text_file.h"
#include "conformance/report/exit_code.h"
#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

std::vector<std::string> vector_files(const GoldenOptions& options) {
  std::vector<std::string> files = case_files(options.files);
  std::erase_if(
      files, [](const std::string& file) { return !file.ends_with(".jsonl"); });
  return files;
}

int verify_files(const std::vector<std::string>& files) {
  int64_t cases = 0;
  int64_t wrong = 0;
  int64_t from_reference = 0;
  for (const std::string& file : files) {
    for (const Case& c : load_cases(file)) {
      ++cases;
      from_reference += c.from_reference ? 1 : 0;
      const std::string problem = verify_golden(c);
      if (problem.empty()) continue;
      ++wrong;
      fmt::print("{}:{}: {}: {}\n", c.file, c.line, c.id, problem);
    }
  }
  fmt::print(
      "{} in {}: {} from the reference, {} computed without it; "
      "{} wrong\n",
      counted(cases, "case"), counted(std::ssize(files), "file"),
      from_reference, cases - from_reference, wrong);
  return wrong == 0 ? kConforms : kDiffers;
}

int bless_files(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const std::string before = read_file(file);
    const std::string after = bless(before, file);
    if (after == before) continue;
    write_file(file, after);
    fmt::print("blessed {}\n", file);
  }
  return kConforms;
}

}  // namespace

int run_golden(const GoldenOptions& options) {
  try {
    const std::vector<std::string> files = vector_files(options);
    if (options.action == "verify") return verify_files(files);
    if (options.action == "bless") return bless_files(files);
  } catch (const Error& error) {
    return report_error(error, "", "");
  }
  fmt::print(stderr, "error: golden verify, or golden bless\n");
  return kUsage;
}

}  // namespace hlo::conformance
