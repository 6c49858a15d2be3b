#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/report_pages/figure.h"

namespace hlo::conformance {

struct ReportPageOptions {
  std::vector<std::string> files;   // of events, - for stdin
  std::vector<std::string> sweeps;  // of `assay sweep`, for the page
  std::string html;                 // files, "" for none
  std::string markdown;
  std::string tap;
  std::string junit;
  std::string badge;
};

/// Writes the reports that are asked for, prints what each run came to and what
/// changed, and returns 0, or kIncomplete where lines could not be read. Errors
/// "file.read", "file.write", "usage.events" where no file has events.
int run_report(const ReportPageOptions& options,
               std::span<const Figure> figures = {});

}  // namespace hlo::conformance
