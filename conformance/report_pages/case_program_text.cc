#include "conformance/report_pages/case_program_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "conformance/case/case_files.h"
#include "conformance/case/spec_page.h"
#include "conformance/files/read_file.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"
#include "interpreter/text/print_literal.h"

namespace hlo::conformance {
namespace {

constexpr size_t kMostText = 4000;
constexpr size_t kMostInputs = 20;
// More than any file of cases has: events may name any file.
constexpr size_t kMostFile = size_t{16} << 20U;

/// Empty where it is no file: a pipe that events name is not waited for.
std::string file_of(const std::string& name) {
  std::string below = data_root();
  below.append("/").append(name);
  for (const std::string& path : {name, below}) {
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return path;
  }
  return {};
}

std::string_view line_of(std::string_view text, int line) {
  for (; line > 1 && !text.empty(); --line) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  return text.substr(0, text.find('\n'));
}

std::optional<Case> read_case(const RecordedCase& recorded) {
  const std::string path = file_of(recorded.file);
  if (path.empty()) return {};
  const std::string text = read_file(path, kMostFile);
  if (!path.ends_with(".md")) {
    return parse_case(line_of(text, recorded.line), path, recorded.line);
  }
  for (Case& c : parse_spec_page(text, path).cases) {
    if (c.line != recorded.line || c.id != recorded.id) continue;
    Case found = std::move(c);
    return found;
  }
  return {};
}

std::string cut(const std::string& text, bool& is_cut) {
  is_cut = is_cut || text.size() > kMostText;
  return shortened(text, kMostText);
}

CaseProgramText text_of(const Case& c) {
  CaseProgramText text{.statement = c.statement,
                       .why = fmt::format("{}", fmt::join(c.why, ", ")),
                       .program = {},
                       .inputs = {}};
  text.program = cut(c.hlo + c.stablehlo, text.is_cut);
  for (const Literal& input : c.inputs) {
    if (text.inputs.size() == kMostInputs) {
      text.is_cut = true;
      break;
    }
    text.inputs.push_back(cut(text::print(input), text.is_cut));
  }
  return text;
}

}  // namespace

std::optional<CaseProgramText> program_text_of(const RecordedCase& recorded) {
  try {
    const auto c = read_case(recorded);
    if (!c || c->id != recorded.id) return {};
    return text_of(*c);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace hlo::conformance
