#pragma once

#include "conformance/commands/command_line/subcommand.h"
#include "conformance/merge/run_merge.h"
#include "conformance/report_pages/history/run_history.h"
#include "conformance/report_pages/run_report.h"

namespace hlo::conformance {

/// The commands that read what `assay check -o` wrote.
void add_merge(Command& program, MergeOptions& options, Action& chosen);
void add_report(Command& program, ReportPageOptions& options, Action& chosen);
void add_history(Command& program, HistoryOptions& options, Action& chosen);
void add_trend(Command& program, HistoryOptions& options, Action& chosen);

}  // namespace hlo::conformance
