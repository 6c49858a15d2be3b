#pragma once

#include <string>

#include "conformance/commands/options/command.h"

namespace hlo::conformance {

/// --backend: who is judged; what is in it stays where the option has no value.
void add_backend(Command& command, std::string& backend);
/// --profile: what conforms.
void add_profile(Command& command, std::string& profile);

}  // namespace hlo::conformance
