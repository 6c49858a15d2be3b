#include "conformance/commands/command_line/audit_command.h"

#include "conformance/commands/options/judging.h"
#include "conformance/commands/options/limits.h"
#include "conformance/commands/options/program_inputs.h"
#include "conformance/commands/options/reports.h"
#include "conformance/commands/options/which_cases.h"
#include "conformance/commands/options/workload.h"

namespace hlo::conformance {
namespace {

void add_counts(Command& command, AuditCommand& options) {
  constexpr int kMost = 1'000'000;
  command
      .add_option("--runs", options.runs,
                  "how often the same compiled program runs")
      .check(number(2, kMost))
      .capture_default_str();
  command
      .add_option("--compilations", options.compilations,
                  "how often it is compiled anew, and the backend started")
      .check(number(0, kMost))
      .capture_default_str();
  command
      .add_option("--also", options.also,
                  "the backend in another setting, which must give the same "
                  "bits; may stand several times")
      .type_name("URI")
      .repeatable();
}

}  // namespace

void add_audit(Command& program, AuditCommand& options, Action& chosen) {
  Command command = subcommand(
      program,
      {"audit", "find what makes a backend give other bits, and whether it may",
       "  assay audit model.hlo -i random:1 --backend jax:cpu\n"
       "  assay audit 'exponential/f32/*' -b cpu: --runs 20 -o audit.json\n"},
      chosen, [&options] { return run_audit(options); });
  command
      .add_option("CASE", options.target,
                  "a program, - for stdin; a file of cases, or a filter of "
                  "their ids")
      .required();
  add_backend(command, options.backend);
  add_filter(command, options.filter);
  add_inputs(command, options.inputs);
  add_infeed(command, options.infeed);
  add_jobs(command, options.jobs);
  add_profile(command, options.profile, options.backend);
  add_counts(command, options);
  add_timeout(command, options.timeout);
  add_all(command, options.all);
  command
      .add_option("-o,--output", options.output, "file for the audit, as JSON")
      .type_name("FILE");
  add_max_memory(command);
}

}  // namespace hlo::conformance
