#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "conformance/tiers/check_cases.h"

namespace hlo::conformance {

/// --seed, --count and --shard.
void add_drawing(CLI::App* command, Drawing& drawing);
/// meant_filter() of the filter; where that is another one, standard error
/// says so.
std::string taken_filter(const std::string& filter);
/// --filter of names, as they stand.
void add_name_filter(CLI::App* command, std::string& filter);
/// --filter.
void add_filter(CLI::App* command, std::string& filter);
/// --require: which cases the backend must support.
void add_require(CLI::App* command, std::string& require);

}  // namespace hlo::conformance
