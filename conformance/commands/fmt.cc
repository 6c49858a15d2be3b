#include <algorithm>
#include <cstdio>
#include <string>

#include "conformance/commands.h"
#include "conformance/commands/program.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify.h"

namespace hlo::conformance {
namespace {

int format_file(const std::string& file, bool check) {
  try {
    const std::string source = read_program(file);
    const Module module = verified_module(source);
    const std::string canonical = text::print(module);
    if (!check) {
      std::fputs(canonical.c_str(), stdout);
      return kConforms;
    }
    if (canonical == source) return kConforms;
    std::fputs((file + ": not in canonical form\n").c_str(), stderr);
    return kDiffers;
  } catch (const Error& error) {
    return report_error_line(error, file);
  }
}

}  // namespace

int run_fmt(const FmtOptions& options) {
  int code = kConforms;
  for (const std::string& file : options.files) {
    code = std::max(code, format_file(file, options.check));
  }
  if (std::fflush(stdout) == 0) return code;
  std::fputs("error: file.write: cannot write the programs\n", stderr);
  return kBroken;
}

}  // namespace hlo::conformance
