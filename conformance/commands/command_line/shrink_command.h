#pragma once

#include <CLI/CLI.hpp>

#include "conformance/commands/command_line/subcommand.h"
#include "conformance/commands/shrinking/run_shrink.h"

namespace hlo::conformance {

/// `assay shrink`.
void add_shrink(CLI::App& app, ShrinkCommand& options, Action& chosen);

}  // namespace hlo::conformance
