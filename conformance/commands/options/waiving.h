#pragma once

#include <CLI/CLI.hpp>

#include "conformance/waivers/waivers.h"

namespace hlo::conformance {

/// --waivers, --strict and --today: which failures are known.
void add_waiving(CLI::App* command, Waiving& waiving);

}  // namespace hlo::conformance
