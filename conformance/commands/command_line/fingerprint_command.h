#pragma once

#include <CLI/CLI.hpp>

#include "conformance/commands/command_line/subcommand.h"
#include "conformance/commands/fingerprinting/run_fingerprint.h"

namespace hlo::conformance {

/// `assay fingerprint`.
void add_fingerprint(CLI::App& app, FingerprintOptions& options,
                     Action& chosen);

}  // namespace hlo::conformance
