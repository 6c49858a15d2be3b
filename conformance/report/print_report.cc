#include "conformance/report/print_report.h"

#include <fmt/format.h>

#include "conformance/files/printable.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/terminal.h"
#include "conformance/levels/level.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/table.h"
#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

/// Red where the output is a terminal that wants colours.
std::string red(const std::string& text) {
  return wants_colours() ? "\x1b[31m" + text + "\x1b[0m" : text;
}

/// The strictest level that all cases of an operation and type pass.
void print_levels(const Summary& summary) {
  Table table({{.title = "operation", .width = 22, .is_text = true},
               {.title = "type", .width = 15, .is_text = true},
               {.title = "strictest level passed", .is_text = true}});
  for (const Family* family : summary.families()) {
    if (!family->closeness.level) continue;
    const auto rank = static_cast<size_t>(*family->closeness.level);
    const bool any = rank < all_levels().size();
    table.add({family->operation, family->type,
               any ? std::string(all_levels()[rank].name) : "none"});
  }
  say("{}\n", table.text(output_width()));
}

/// Nothing where all is well, but for the table of a verbose report.
void print_counts(const Summary& summary, bool verbose) {
  const std::string text =
      verbose ? summary.table(output_width())
              : summary.findings_by_operation() + empty_bounds_line(summary);
  if (!text.empty()) say("{}\n", text);
}

void print_findings(const Summary& summary, const ReportOptions& options) {
  int shown = 0;
  int64_t all = 0;
  for (const Family* family : summary.families()) {
    all += family->failures() + family->broken();
    for (const Finding& finding : family->findings) {
      if (shown == options.failures) break;
      ++shown;
      say("{}\n", printable(describe(finding)));
    }
  }
  if (all > shown) {
    say("{} more; --failures N shows more of them\n\n", all - shown);
  }
}

}  // namespace

void print_report(const Summary& summary, int64_t left,
                  const ReportOptions& options) {
  print_counts(summary, options.verbose);
  if (options.levels) print_levels(summary);
  print_findings(summary, options);
  const std::string waivers = summary.waiver_lines();
  if (!waivers.empty()) say("{}\n", printable(waivers));
  std::string line = verdict_line(summary, options.backend);
  if (left > 0) {
    line += fmt::format("; stopped before {} judged",
                        counted(left, "case was", "cases were"));
  }
  const bool good = left == 0 && summary.exit_code() == kConforms;
  say("{}\n", good ? line : red(line));
  flush_output();
}

}  // namespace hlo::conformance
