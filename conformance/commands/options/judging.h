#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace hlo::conformance {

/// --backend: who is judged; what is in it stays where the option has no value.
void add_backend(CLI::App* command, std::string& backend);
/// --profile: what conforms.
void add_profile(CLI::App* command, std::string& profile);

}  // namespace hlo::conformance
