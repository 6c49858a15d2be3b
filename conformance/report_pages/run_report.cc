#include "conformance/report_pages/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/output_into.h"
#include "conformance/files/printable.h"
#include "conformance/files/read_file.h"
#include "conformance/files/standard_output.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/junit.h"
#include "conformance/report_pages/badge.h"
#include "conformance/report_pages/case_history.h"
#include "conformance/report_pages/html_report.h"
#include "conformance/report_pages/markdown_report.h"
#include "conformance/report_pages/run_totals.h"
#include "conformance/report_pages/tap_report.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

RunTable read_runs(const std::vector<std::string>& files) {
  std::vector<EventFile> runs;
  bool any = false;
  for (const std::string& file : files) {
    runs.push_back(read_event_file(file, read_input(file)));
    any = any || runs.back().run || !runs.back().cases.empty();
  }
  require_evaluable(any, "usage.events",
                    {"no file has an event of a run: ", files.front()},
                    "the files must be what assay check -o writes");
  return RunTable(std::move(runs));
}

/// Says what could not be read; the exit code.
int complain_of_lines(const RunTable& table) {
  int code = kConforms;
  for (const EventFile& file : table.runs()) {
    if (file.unread == 0) continue;
    code = kIncomplete;
    for (const std::string& problem : file.problems) {
      complain(printable(problem + "\n"));
    }
    complain(printable(
        fmt::format("{}: {} could not be read\n", file.name, file.unread)));
  }
  return code;
}

std::string junit_report(const RunTable& table) {
  std::vector<Summary> summaries;
  for (const EventFile& file : table.runs()) {
    summaries.push_back(summary_of(file));
  }
  std::vector<TestedRun> runs;
  for (size_t i = 0; i < summaries.size(); ++i) {
    const EventFile& file = table.runs()[i];
    runs.push_back({&summaries[i], file.backend(), file.left()});
  }
  return junit(runs);
}

void print_changes(const RunTable& table, size_t run) {
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

/// The files, and those of folders that end with .jsonl, by their names.
std::vector<std::string> event_files(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(path, error)) {
      const std::string name = entry.path().string();
      if (name.ends_with(".jsonl")) found.push_back(name);
    }
    require_evaluable(!error && !found.empty(), "usage.events",
                      {"the folder ", path, " has no file of events"},
                      "it must have files that end with .jsonl");
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// A report and the file that it goes to.
struct Output {
  const std::string& path;
  std::function<std::string(const RunTable&)> text;
};

}  // namespace

int run_report(const ReportPageOptions& options) {
  const std::vector<Output> outputs = {
      {options.html, html_report},
      {options.markdown,
       [](const RunTable& table) { return markdown_report(table); }},
      {options.tap, tap_report},
      {options.junit, junit_report},
      {options.badge,
       [](const RunTable& table) { return badge(table.runs()); }}};
  FileUse use;
  use.read(options.files);
  std::vector<std::unique_ptr<OutputFile>> files;
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
    const EventFile& file = table.runs()[run];
    say("{}\n", printable(total_line(file, summary_of(file))));
    print_changes(table, run);
  }
  flush_output();
  return complain_of_lines(table);
}

int run_history(const HistoryOptions& options) {
  const std::vector<std::string> files = event_files(options.files);
  FileUse use;
  use.read(files);
  const RunTable table = read_runs(files);
  OutputInto output(options.output, use);
  say(printable(options.trend ? trend_text(table) : history_text(table)));
  output.commit();
  return complain_of_lines(table);
}

}  // namespace hlo::conformance
