#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "conformance/tiers/check_cases.h"

namespace hlo::conformance {

/// --seed, --count and --shard.
void add_drawing(CLI::App* command, Drawing& drawing);
/// --filter.
void add_filter(CLI::App* command, std::string& filter);

}  // namespace hlo::conformance
