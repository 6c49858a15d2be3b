#include "conformance/report_pages/read_runs.h"

#include <fmt/format.h>

#include <utility>

#include "conformance/files/printable.h"
#include "conformance/files/read_file.h"
#include "conformance/files/standard_output.h"
#include "conformance/report/exit_code.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"

namespace hlo::conformance {

RunTable read_runs(const std::vector<std::string>& files) {
  std::vector<EventFile> runs;
  runs.reserve(files.size());
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

}  // namespace hlo::conformance
