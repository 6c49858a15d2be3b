#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/report_pages/badge.h"
#include "conformance/report_pages/history/case_history.h"
#include "conformance/report_pages/html_report.h"
#include "conformance/report_pages/markdown_report.h"
#include "conformance/report_pages/report_data.h"
#include "conformance/report_pages/run_table.h"
#include "conformance/report_pages/tap_report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace hlo::conformance;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Names no file that there may be: the page would show its cases.
std::vector<EventFile> without_files(std::vector<EventFile> runs) {
  for (EventFile& run : runs) {
    for (RecordedCase& recorded : run.cases) recorded.file = "none";
  }
  return runs;
}

}  // namespace

// Two files of events, the second behind an empty line: all reports of them.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t middle = std::min(text.find("\n\n"), size);
  std::vector<EventFile> files;
  files.push_back(read_event_file("a", text.substr(0, middle)));
  files.push_back(
      read_event_file("b", text.substr(std::min(middle + 2, size))));
  const RunTable table(without_files(std::move(files)));
  const std::string json = report_data(table);
  require(json.find('<') == std::string::npos);
  require(nlohmann::json::parse(json).at("rows") == table.size());
  constexpr size_t kMost = 2000;
  require(markdown_report(table, kMost).size() <= kMost);
  const std::string tests = tap_report(table);
  require(tests.starts_with("TAP version 14\n1.."));
  badge(table.runs());
  history_text(table);
  trend_text(table);
  return 0;
}
