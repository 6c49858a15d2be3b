#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "conformance/commands.h"
#include "conformance/commands/program.h"
#include "interpreter/stablehlo/export.h"
#include "interpreter/stablehlo/parse.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

std::string printed_stablehlo(const std::vector<Module>& programs) {
  std::vector<std::string> texts;
  texts.reserve(programs.size());
  for (const Module& module : programs) {
    texts.push_back(stablehlo::print(module));
  }
  return fmt::format("{}", fmt::join(texts, "// -----\n"));
}

/// The canonical text of the programs in the syntax that is asked for, by
/// default that of the source.
std::string printed(std::string_view source, std::string_view syntax) {
  const bool to_stablehlo =
      syntax.empty() ? stablehlo::is_stablehlo(source) : syntax == "stablehlo";
  if (to_stablehlo) return printed_stablehlo(verified_programs(source));
  return text::print(verified_program(source));
}

int format_file(const std::string& file, const FmtOptions& options) {
  try {
    const std::string source = read_program(file);
    const std::string canonical = printed(source, options.to);
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
