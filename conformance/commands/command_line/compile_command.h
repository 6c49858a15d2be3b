#pragma once

#include "conformance/commands/command_line/subcommand.h"
#include "conformance/commands/compiling/run_compile.h"

namespace hlo::conformance {

/// `assay compile`.
void add_compile(Command& program, CompileOptions& options, Action& chosen);

}  // namespace hlo::conformance
