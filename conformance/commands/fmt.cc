#include <algorithm>
#include <cstdio>
#include <string>

#include "conformance/commands.h"
#include "conformance/commands/program.h"
#include "interpreter/stablehlo/export.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify.h"

namespace hlo::conformance {
namespace {

/// Programs of StableHLO stand in one text behind lines of `// -----`.
std::string printed(const Module& module, std::string_view syntax) {
  return syntax == "stablehlo" ? "// -----\n" + stablehlo::print(module)
                               : text::print(module);
}

int format_file(const std::string& file, const FmtOptions& options) {
  try {
    const std::string source = read_program(file);
    const Module module = verified_module(source);
    const std::string canonical = printed(module, options.to);
    if (!options.check) {
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
    code = std::max(code, format_file(file, options));
  }
  if (std::fflush(stdout) == 0) return code;
  std::fputs("error: file.write: cannot write the programs\n", stderr);
  return kBroken;
}

}  // namespace hlo::conformance
