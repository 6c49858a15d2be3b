#pragma once

#include <CLI/CLI.hpp>

#include "conformance/commands/auditing/run_audit.h"
#include "conformance/commands/command_line/subcommand.h"

namespace hlo::conformance {

/// `assay audit`.
void add_audit(CLI::App& app, AuditCommand& options, Action& chosen);

}  // namespace hlo::conformance
