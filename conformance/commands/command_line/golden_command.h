#pragma once

#include "conformance/commands/command_line/subcommand.h"
#include "conformance/commands/run_golden.h"

namespace hlo::conformance {

/// `assay golden`, whose actions have options of their own: error
/// "usage.golden" where one is given that the action does not have.
void add_golden(Command& program, GoldenOptions& options, Action& chosen);

}  // namespace hlo::conformance
