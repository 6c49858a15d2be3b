#include "conformance/commands/run_fmt.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/commands/verified_program.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_into.h"
#include "conformance/files/standard_output.h"
#include "conformance/report/exit_code.h"
#include "interpreter/shortened.h"
#include "interpreter/stablehlo/export/export.h"
#include "interpreter/stablehlo/read/parse.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

/// Between programs, in both languages.
constexpr std::string_view kSeparator = "// -----\n";

std::string printed(const std::vector<Module>& programs, bool to_stablehlo) {
  std::vector<std::string> texts;
  texts.reserve(programs.size());
  for (const Module& module : programs) {
    texts.push_back(to_stablehlo ? stablehlo::print(module)
                                 : text::print(module));
  }
  return fmt::format("{}", fmt::join(texts, kSeparator));
}

/// The canonical text of the programs in the syntax that is asked for, by
/// default that of the source.
std::string printed(std::string_view source, std::string_view syntax) {
  const bool to_stablehlo =
      syntax.empty() ? stablehlo::is_stablehlo(source) : syntax == "stablehlo";
  return printed(verified_programs(source), to_stablehlo);
}

/// `is_next` where the text of another file has been printed.
int format_file(const std::string& file, const FmtOptions& options,
                bool& is_next) {
  std::string source;
  try {
    source = read_program(file);
    const std::string canonical = printed(source, options.to);
    if (!options.check) {
      if (is_next) say(kSeparator);
      is_next = true;
      say(canonical);
      return kConforms;
    }
    if (canonical == source) return kConforms;
    complain(printable(shortened(file)) + ": not in canonical form\n");
    return kDiffers;
  } catch (const Error& error) {
    return report_error(error, file, source);
  }
}

int format_files(const FmtOptions& options) {
  int code = kConforms;
  bool is_next = false;
  for (const std::string& file : options.files) {
    code = std::max(code, format_file(file, options, is_next));
  }
  return code;
}

}  // namespace

int run_fmt(const FmtOptions& options) {
  try {
    if (options.check && !options.output.empty()) {
      throw Error(Phase::kParse, "usage.option",
                  "--output is given with --check, which prints nothing, but "
                  "must go without");
    }
    FileUse use;
    use.read(options.files);
    OutputInto output(options.output, use);
    const int code = format_files(options);
    if (code == kConforms) output.commit();
    return code;
  } catch (const Error& error) {
    return report_error(error, "", "");
  }
}

}  // namespace hlo::conformance
