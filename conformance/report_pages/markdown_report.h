#pragma once

#include <cstddef>
#include <string>

#include "conformance/report_pages/run_table.h"

namespace hlo::conformance {

/// GitHub takes no summary of a step that is longer.
inline constexpr size_t kMostMarkdown = size_t{1} << 20U;

/// A summary in GitHub's Markdown, of at most so many bytes: a row for each
/// run, what changed since the run of the same backend before it, regressions
/// first, and what fails. What does not fit is left out, and counted.
std::string markdown_report(const RunTable& table, size_t most = kMostMarkdown);

/// The text as code in a cell of a table.
std::string markdown_code(std::string_view text);

}  // namespace hlo::conformance
