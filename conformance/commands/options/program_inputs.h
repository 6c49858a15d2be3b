#pragma once

#include <string>
#include <vector>

#include "conformance/commands/options/command.h"

namespace hlo::conformance {

/// --input.
void add_inputs(Command& command, std::vector<std::string>& inputs);
/// --infeed.
void add_infeed(Command& command, std::vector<std::string>& infeed);
/// --infeed and --custom-calls: what a program gets from outside of it while it
/// runs.
void add_surroundings(Command& command, std::vector<std::string>& infeed,
                      std::vector<std::string>& custom_calls);

}  // namespace hlo::conformance
