#pragma once

#include "conformance/commands/command_line/subcommand.h"
#include "conformance/commands/shrinking/run_shrink.h"

namespace hlo::conformance {

/// `assay shrink`.
void add_shrink(Command& program, ShrinkCommand& options, Action& chosen);

}  // namespace hlo::conformance
