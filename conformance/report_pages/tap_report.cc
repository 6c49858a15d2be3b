#include "conformance/report_pages/tap_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/files/printable.h"
#include "conformance/report/summary.h"
#include "conformance/report_pages/change.h"

namespace hlo::conformance {
namespace {

/// The text in one line, with # and \ escaped, which TAP gives a meaning.
std::string description(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '#' || c == '\\') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

/// A block of YAML, whose texts are JSON's.
std::string diagnostic(const RecordedCase& c) {
  const auto quoted = [](const std::string& text) {
    using nlohmann::json;
    return json(text).dump(-1, ' ', true, json::error_handler_t::replace);
  };
  return fmt::format(
      "  ---\n  verdict: {}\n  message: {}\n  statement: {}\n  at: {}\n"
      "  flaky: {}\n  ...\n",
      name(c.judgement.verdict), quoted(why(c.judgement)), quoted(c.statement),
      quoted(fmt::format("{}:{}", c.file, c.line)),
      c.judgement.again.has_value());
}

std::string test(const RecordedCase& c, const std::string& before,
                 int64_t number, bool is_strict) {
  const bool surprises = is_strict && is_unexpected(c.judgement);
  std::string line =
      fmt::format("{}ok {} - {}", fails(c) || surprises ? "not " : "", number,
                  description(before + c.id));
  if (surprises) {
    return line +
           "\n  ---\n  message: \"conforms although it is waived\"\n  ...\n";
  }
  if (standing(&c) == Standing::kOpen) {
    line += fmt::format(" # SKIP {}", name(c.judgement.verdict));
  } else if (is_waived(c)) {
    line += " # TODO waived: " + description(c.judgement.waiver);
  }
  return line + "\n" + (fails(c) ? diagnostic(c) : "");
}

}  // namespace

std::string tap_report(const RunTable& table) {
  std::string tests;
  std::string remarks;
  int64_t number = 0;
  int64_t left = 0;
  for (const EventFile& file : table.runs()) {
    const bool several = table.runs().size() > 1;
    const std::string before = several ? file.backend() + " " : "";
    for (const RecordedCase& c : file.cases) {
      tests += test(c, before, ++number, file.run && file.run->strict);
    }
    // Something is missing of a file that is cut, however much.
    left += std::max(file.left(), int64_t{file.is_cut()});
    if (file.is_partial()) {
      remarks +=
          fmt::format("# {}partial: {}\n", description(before), file.missing());
    }
  }
  return fmt::format("TAP version 14\n1..{}\n", number + left) + tests +
         remarks;
}

}  // namespace hlo::conformance
