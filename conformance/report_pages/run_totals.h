#pragma once

#include <string>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/report_pages/change.h"
#include "conformance/report_pages/run_table.h"

namespace hlo::conformance {

/// What the cases of the file come to, with its tests.
Summary summary_of(const EventFile& file);

/// "cpu: 12 of 13 cases conform, 1 differs", and what is missing.
std::string total_line(const EventFile& file, const Summary& summary);

/// The latest run of the backend, up to that one, that tells of the row, which
/// a partial one that lacks it does not; `run` where none does.
size_t telling_run(const RunTable& table, size_t row, size_t run);

/// What became of the row from one run, and what those before it tell that it
/// does not, to another. Where neither is known it is kSame.
Change change_of(const RunTable& table, size_t row, size_t before,
                 size_t after);
/// The rows by what became of them, by Change.
std::vector<std::vector<size_t>> changed_rows(const RunTable& table,
                                              size_t before, size_t after);

/// The latest earlier run of the same backend, or `run` where there is none.
size_t earlier_run(const RunTable& table, size_t run);

}  // namespace hlo::conformance
