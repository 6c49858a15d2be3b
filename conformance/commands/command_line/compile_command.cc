#include "conformance/commands/command_line/compile_command.h"

#include "conformance/commands/options/judging.h"
#include "conformance/commands/options/limits.h"
#include "conformance/commands/options/reports.h"

namespace hlo::conformance {

void add_compile(Command& program, CompileOptions& options, Action& chosen) {
  Command command = subcommand(
      program,
      {"compile", "compile a program for a backend, and tell how it will run",
       "  assay compile model.hlo --backend cpu: --explain\n"},
      chosen, [&options] { return run_compile(options); });
  command.add_option("FILE", options.file, "the program; - reads it from stdin")
      .required();
  add_backend(command, options.backend);
  command.add_flag("--explain", options.explain,
                   "print the steps, the places of their arrays, and memory");
  add_timeout(command, options.timeout);
  add_text_output(command, options.output);
  add_max_memory(command);
}

}  // namespace hlo::conformance
