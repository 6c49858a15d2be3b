#pragma once

#include "conformance/commands/command_line/subcommand.h"
#include "conformance/commands/fingerprinting/run_fingerprint.h"

namespace hlo::conformance {

/// `assay fingerprint`.
void add_fingerprint(Command& program, FingerprintOptions& options,
                     Action& chosen);

}  // namespace hlo::conformance
