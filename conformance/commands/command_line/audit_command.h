#pragma once

#include "conformance/commands/auditing/run_audit.h"
#include "conformance/commands/command_line/subcommand.h"

namespace hlo::conformance {

/// `assay audit`.
void add_audit(Command& program, AuditCommand& options, Action& chosen);

}  // namespace hlo::conformance
