#pragma once

#include "conformance/commands/options/command.h"
#include "conformance/waivers/waivers.h"

namespace hlo::conformance {

/// --waivers, --strict and --today: which failures are known.
void add_waiving(Command& command, Waiving& waiving);

}  // namespace hlo::conformance
