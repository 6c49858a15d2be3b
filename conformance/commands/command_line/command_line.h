#pragma once

#include "conformance/commands/auditing/run_audit.h"
#include "conformance/commands/command_line/subcommand.h"
#include "conformance/commands/compiling/run_compile.h"
#include "conformance/commands/fingerprinting/run_fingerprint.h"
#include "conformance/commands/results/run_bounds.h"
#include "conformance/commands/results/run_eval.h"
#include "conformance/commands/results/run_run.h"
#include "conformance/commands/run_check.h"
#include "conformance/commands/run_compare.h"
#include "conformance/commands/run_explain.h"
#include "conformance/commands/run_fmt.h"
#include "conformance/commands/run_golden.h"
#include "conformance/commands/run_layout.h"
#include "conformance/commands/run_list.h"
#include "conformance/commands/run_spec.h"
#include "conformance/commands/run_sweep.h"
#include "conformance/commands/run_verify_numerics.h"
#include "conformance/commands/shrinking/run_shrink.h"
#include "conformance/merge/run_merge.h"
#include "conformance/report_pages/history/run_history.h"
#include "conformance/report_pages/run_report.h"

namespace hlo::conformance {

/// All options of the program, and the command that was chosen.
struct CommandLine {
  AuditCommand audit;
  BoundsOptions bounds;
  CompileOptions compile;
  EvalOptions eval;
  ExplainOptions explain;
  FingerprintOptions fingerprint;
  FmtOptions fmt;
  CheckOptions check;
  CompareOptions compare;
  GoldenOptions golden;
  HistoryOptions history;
  LayoutOptions layout;
  ListOptions list;
  MergeOptions merge;
  ReportPageOptions report;
  RunOptions run;
  ShrinkCommand shrink;
  SpecOptions spec;
  SweepOptions sweep;
  HistoryOptions trend;
  VerifyNumericsOptions verify_numerics;
  Action chosen;
};

/// All commands with their options, into which they put what they read.
void add_commands(Command& program, CommandLine& line);

}  // namespace hlo::conformance
