#pragma once

#include <string>
#include <vector>

#include "conformance/report_pages/run_table.h"

namespace hlo::conformance {

/// The runs of the files, of which - is standard input. Errors "file.read",
/// "usage.events" where no file has an event of a run.
RunTable read_runs(const std::vector<std::string>& files);

/// Says on standard error what could not be read; kIncomplete where there was
/// such, else kConforms.
int complain_of_lines(const RunTable& table);

}  // namespace hlo::conformance
