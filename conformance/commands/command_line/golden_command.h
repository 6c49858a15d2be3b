#pragma once

#include <CLI/CLI.hpp>

#include "conformance/commands/command_line/subcommand.h"
#include "conformance/commands/run_golden.h"

namespace hlo::conformance {

/// `assay golden`, whose actions have options of their own: error
/// "usage.golden" where one is given that the action does not have.
void add_golden(CLI::App& app, GoldenOptions& options, Action& chosen);

}  // namespace hlo::conformance
