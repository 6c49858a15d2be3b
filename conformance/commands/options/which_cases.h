#pragma once

#include <string>

#include "conformance/commands/options/command.h"
#include "conformance/tiers/check_cases.h"

namespace hlo::conformance {

/// --seed, --count and --shard.
void add_drawing(Command& command, Drawing& drawing);
/// meant_filter() of the filter; where that is another one, standard error
/// says so.
std::string taken_filter(const std::string& filter);
/// --filter of names, as they stand.
void add_name_filter(Command& command, std::string& filter);
/// --filter.
void add_filter(Command& command, std::string& filter);
/// --require: which cases the backend must support.
void add_require(Command& command, std::string& require);

}  // namespace hlo::conformance
