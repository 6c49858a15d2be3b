#include "conformance/report_pages/history/run_history.h"

#include <algorithm>
#include <filesystem>

#include "conformance/files/file_use.h"
#include "conformance/files/output_into.h"
#include "conformance/files/printable.h"
#include "conformance/files/standard_output.h"
#include "conformance/report_pages/history/case_history.h"
#include "conformance/report_pages/read_runs.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

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

}  // namespace

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
