#pragma once

#include <CLI/CLI.hpp>

#include "conformance/commands/command_line/subcommand.h"
#include "conformance/merge/run_merge.h"
#include "conformance/report_pages/history/run_history.h"
#include "conformance/report_pages/run_report.h"

namespace hlo::conformance {

/// The commands that read what `assay check -o` wrote.
void add_merge(CLI::App& app, MergeOptions& options, Action& chosen);
void add_report(CLI::App& app, ReportPageOptions& options, Action& chosen);
void add_history(CLI::App& app, HistoryOptions& options, Action& chosen);
void add_trend(CLI::App& app, HistoryOptions& options, Action& chosen);

}  // namespace hlo::conformance
