#include "conformance/commands/command_line/shrink_command.h"

#include "conformance/commands/options/judging.h"
#include "conformance/commands/options/limits.h"
#include "conformance/commands/options/program_inputs.h"
#include "conformance/commands/options/which_cases.h"

namespace hlo::conformance {

void add_shrink(Command& program, ShrinkCommand& options, Action& chosen) {
  Command command = subcommand(
      program,
      {"shrink", "find the smallest program that shows a failure",
       "  assay shrink maximum/f32/values -b mutant:drop-nan\n"
       "  assay shrink model.hlo -i random:1 -b jax:cpu -o folder/\n"},
      chosen, [&options] { return run_shrink(options); });
  command
      .add_option("CASE", options.target,
                  "the id of a case, a file of cases, or a program; - reads "
                  "a program from stdin")
      .required();
  add_backend(command, options.backend);
  add_filter(command, options.filter);
  add_inputs(command, options.inputs);
  add_profile(command, options.profile, options.backend);
  add_timeout(command, options.timeout);
  add_shrink_limits(command, options.limits.candidates, options.limits.seconds);
  command
      .add_option("-o,--output", options.output,
                  "folder for the program, its inputs, what it must give, and "
                  "a script")
      .type_name("FOLDER")
      .capture_default_str();
  add_max_memory(command);
}

}  // namespace hlo::conformance
