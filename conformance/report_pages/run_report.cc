#include "conformance/report_pages/run_report.h"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <utility>

#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/printable.h"
#include "conformance/files/standard_output.h"
#include "conformance/report/junit.h"
#include "conformance/report_pages/badge.h"
#include "conformance/report_pages/html_report.h"
#include "conformance/report_pages/markdown_report.h"
#include "conformance/report_pages/read_runs.h"
#include "conformance/report_pages/run_totals.h"
#include "conformance/report_pages/tap_report.h"

namespace hlo::conformance {
namespace {

std::string junit_report(const RunTable& table) {
  std::vector<Summary> summaries;
  for (const EventFile& file : table.runs()) {
    summaries.push_back(summary_of(file));
  }
  std::vector<TestedRun> runs;
  for (size_t i = 0; i < summaries.size(); ++i) {
    const EventFile& file = table.runs()[i];
    runs.push_back({.summary = &summaries[i],
                    .backend = file.backend(),
                    .missing = file.missing(),
                    .is_cut = file.is_cut()});
  }
  return junit(runs);
}

void print_run(const RunTable& table, size_t run) {
  const EventFile& file = table.runs()[run];
  say("{}\n", printable(total_line(file, summary_of(file))));
  const size_t before = earlier_run(table, run);
  if (before == run) return;
  const auto changes = changed_rows(table, before, run);
  std::string text;
  for (size_t kind = 0; kind + 1 < kChanges; ++kind) {
    if (changes[kind].empty()) continue;
    text +=
        fmt::format(", {} {}", changes[kind].size(), change_names()[kind].name);
  }
  say("  since {}: {}\n", printable(table.runs()[before].name),
      text.empty() ? "nothing changed" : text.substr(2));
}

/// A report and the file that it goes to.
struct Output {
  const std::string& path;
  std::function<std::string(const RunTable&)> text;
};

}  // namespace

int run_report(const ReportPageOptions& options,
               std::span<const Figure> figures) {
  const std::vector<Output> outputs = {
      {options.html,
       [&](const RunTable& table) { return html_report(table, figures); }},
      {options.markdown,
       [](const RunTable& table) { return markdown_report(table); }},
      {options.tap, tap_report},
      {options.junit, junit_report},
      {options.badge,
       [](const RunTable& table) { return badge(table.runs()); }}};
  FileUse use;
  use.read(options.files);
  use.read(options.sweeps);
  std::vector<std::unique_ptr<OutputFile>> files;
  files.reserve(outputs.size());
  for (const Output& output : outputs) {
    files.push_back(output.path.empty()
                        ? nullptr
                        : std::make_unique<OutputFile>(output.path, use));
  }
  const RunTable table = read_runs(options.files);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (files[i] == nullptr) continue;
    files[i]->append(outputs[i].text(table));
    files[i]->commit();
  }
  for (size_t run = 0; run < table.runs().size(); ++run) {
    print_run(table, run);
  }
  flush_output();
  return complain_of_lines(table);
}

}  // namespace hlo::conformance
